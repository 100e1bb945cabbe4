// The browser half of the card element, as https://sdk.clip.mx/js/clip-sdk.js offers it: a global `ClipSDK`.
// A classic script without eval, inline styles or dependencies, so that it runs under a strict content security policy.
(() => {
  const FRAME_ORIGIN = '__FRAME_ORIGIN__';

  class CardElement {
    #apiKey;
    #options;
    #frame = null;
    #ready = Promise.withResolvers();
    #calls = new Map();
    #nextCall = 1;
    #sessionId = crypto.randomUUID();

    constructor(apiKey, options) {
      this.#apiKey = apiKey;
      this.#options = options;
    }

    mount(containerId) {
      const container = document.getElementById(containerId);
      if (container === null) throw { code: 'TCE0001', message: `no element with the id ${containerId}` };
      const { theme = 'light', locale = 'es', paymentAmount = 0, terms } = this.#options;
      const fragment = new URLSearchParams({
        apiKey: this.#apiKey,
        theme,
        locale,
        amount: String(paymentAmount),
        terms: terms?.enabled ? '1' : '',
      });
      const frame = document.createElement('iframe');
      frame.title = 'Datos de la tarjeta';
      frame.src = `${FRAME_ORIGIN}/elements/card#${fragment}`;
      frame.style.width = '100%';
      frame.style.border = '0';
      frame.style.display = 'block';
      frame.style.colorScheme = theme === 'dark' ? 'dark' : 'light';
      this.#frame = frame;
      addEventListener('message', (event) => this.#hear(event));
      container.replaceChildren(frame);
    }

    setAmount(amount) {
      return void this.#call('setAmount', amount);
    }

    cardToken() {
      return this.#call('cardToken');
    }

    installments() {
      return this.#call('installments');
    }

    cardholderData() {
      return this.#call('cardholderData');
    }

    async preventionData() {
      return { session_id: this.#sessionId, user_agent: navigator.userAgent };
    }

    #hear(event) {
      if (event.origin !== FRAME_ORIGIN || event.source !== this.#frame.contentWindow) return;
      const { kind, height, call, value, error } = event.data;
      if (kind === 'ready') this.#ready.resolve();
      if (kind === 'size') this.#frame.style.height = `${height}px`;
      if (kind !== 'answer') return;
      const waiting = this.#calls.get(call);
      this.#calls.delete(call);
      if (error) waiting?.reject(error);
      else waiting?.resolve(value);
    }

    async #call(method, argument) {
      if (this.#frame === null) throw { code: 'TCE0001', message: 'the element is not mounted' };
      await this.#ready.promise;
      const call = this.#nextCall++;
      const answer = Promise.withResolvers();
      this.#calls.set(call, answer);
      this.#frame.contentWindow.postMessage({ kind: 'call', call, method, argument }, FRAME_ORIGIN);
      return answer.promise;
    }
  }

  window.ClipSDK = class ClipSDK {
    constructor(apiKey) {
      this.element = {
        create(type, options = {}) {
          if (type !== 'Card') throw { code: 'TCE0001', message: `no element of the type ${type}` };
          return new CardElement(apiKey, options);
        },
      };
    }
  };
})();

// The card element itself. It takes messages only from the page that may embed it, and answers only that page.
const PARENT_ORIGIN = document.documentElement.dataset.parentOrigin;
const options = new URLSearchParams(location.hash.slice(1));
const MONTHS_FROM_PESOS = 300;

const form = document.forms[0];
const { number, expiry, cvv, holder, months } = form.elements;
const monthsField = document.getElementById('months-field');

document.documentElement.dataset.theme = options.get('theme') === 'dark' ? 'dark' : 'light';

const digitsOf = (field) => field.value.replace(/\D/g, '');

// What is wrong with each field and how to fix it; an empty text when it is right.
const checks = new Map([
  [
    number,
    () => (isCardNumber(digitsOf(number)) ? '' : 'Revisa el número: parece que falta o sobra un dígito.'),
  ],
  [expiry, () => expiryProblem(expiry.value)],
  [cvv, () => (/^\d{3,4}$/.test(cvv.value) ? '' : 'Son los 3 o 4 dígitos del reverso o del frente.')],
  [holder, () => (/\p{L}.*\p{L}/u.test(holder.value) ? '' : 'Escríbelo como aparece en la tarjeta.')],
]);
const emptyTexts = new Map([
  [number, 'Escribe el número de tu tarjeta.'],
  [expiry, 'Escribe el mes y el año.'],
  [cvv, 'Escribe el CVV.'],
  [holder, 'Escribe el nombre del titular.'],
]);

function isCardNumber(digits) {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function expiryOf(text) {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  return month === undefined ? null : { month: Number(month), year: 2000 + Number(year) };
}

function expiryProblem(text) {
  const at = expiryOf(text);
  if (at === null || at.month < 1 || at.month > 12) return 'Escribe mes y año, como 08/29.';
  // A card is valid to the end of its month.
  return new Date(at.year, at.month) > new Date() ? '' : 'Esta tarjeta ya venció.';
}

function check(field) {
  const text = field.value.trim() === '' ? emptyTexts.get(field) : checks.get(field)();
  document.getElementById(`${field.id}-error`).textContent = text;
  field.setAttribute('aria-invalid', String(text !== ''));
  return text === '';
}

number.addEventListener('input', () => {
  const atEnd = number.selectionStart === number.value.length;
  if (atEnd)
    number.value = digitsOf(number)
      .slice(0, 19)
      .replace(/(\d{4})(?=\d)/g, '$1 ');
});
expiry.addEventListener('input', (event) => {
  const deleting = event.inputType?.startsWith('delete');
  const digits = digitsOf(expiry);
  if (!deleting && !expiry.value.includes('/') && digits.length >= 2) {
    expiry.value = `${digits.slice(0, 2)}/${digits.slice(2)}`;
  }
});
for (const field of checks.keys()) {
  // A field that was wrong is checked on each key; others when they lose focus.
  field.addEventListener('input', () => field.getAttribute('aria-invalid') === 'true' && check(field));
  field.addEventListener('change', () => check(field));
}
form.addEventListener('submit', (event) => event.preventDefault());

function setAmount(amount) {
  monthsField.hidden = options.get('terms') !== '1' || !(amount >= MONTHS_FROM_PESOS);
}

const calls = {
  setAmount,
  async cardToken() {
    const wrong = [...checks.keys()].filter((field) => !check(field));
    wrong[0]?.focus();
    if (wrong.some((field) => field.value.trim() === ''))
      throw { code: 'CL2200', message: 'required data missing' };
    if (wrong.length > 0) throw { code: 'CL2290', message: 'card data not valid' };
    const response = await fetch('/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        apiKey: options.get('apiKey'),
        number: digitsOf(number),
        holder: holder.value.trim(),
        cvv: cvv.value,
        ...expiryOf(expiry.value),
      }),
    }).catch(() => {
      throw { code: 'AI1300', message: 'the provider cannot be reached' };
    });
    const body = await response.json();
    if (!response.ok) throw { code: body.error_code, message: body.message };
    return { id: body.id };
  },
  installments: () => (monthsField.hidden ? 1 : Number(months.value)),
  cardholderData() {
    const [firstName = '', ...rest] = holder.value.trim().split(/\s+/);
    return { firstName, lastName: rest.join(' ') };
  },
};

const tell = (message) => parent.postMessage(message, PARENT_ORIGIN);

addEventListener('message', async (event) => {
  if (event.origin !== PARENT_ORIGIN || event.source !== parent || event.data.kind !== 'call') return;
  const { call, method, argument } = event.data;
  try {
    const value = Object.hasOwn(calls, method) ? await calls[method](argument) : undefined;
    tell({ kind: 'answer', call, value });
  } catch (error) {
    tell({ kind: 'answer', call, error: { code: error.code ?? 'TCE0001', message: error.message ?? '' } });
  }
});

setAmount(Number(options.get('amount')));
new ResizeObserver(() => tell({ kind: 'size', height: document.documentElement.offsetHeight })).observe(
  document.documentElement,
);
tell({ kind: 'ready' });

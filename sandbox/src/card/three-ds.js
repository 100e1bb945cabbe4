const { payment, parentOrigin, waits } = document.body.dataset;
const buttons = [...document.querySelectorAll('button')];
const status = document.querySelector('[role=status]');

const tellParent = () => {
  if (parent !== window) parent.postMessage({ paymentId: payment }, parentOrigin);
};

for (const button of buttons) {
  button.addEventListener('click', async () => {
    for (const one of buttons) one.disabled = true;
    status.textContent = 'Un momento…';
    try {
      const response = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ answer: button.dataset.answer }),
      });
      if (!response.ok) throw new Error(String(response.status));
      for (const one of buttons) one.hidden = true;
      status.textContent = 'Listo. Ya puedes volver a la tienda.';
      tellParent();
    } catch {
      for (const one of buttons) one.disabled = false;
      status.textContent = 'No se pudo enviar tu respuesta. Inténtalo de nuevo.';
    }
  });
}

// A window that is opened again after the decision posts its message again.
if (payment !== '' && waits === 'no') tellParent();

// Copy buttons: `data-copy` is what they copy, the label tells that it was done.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (button === null) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = 'Copiado';
  setTimeout(() => (button.textContent = 'Copiar'), 1500);
});

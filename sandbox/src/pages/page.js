// Copy buttons: they copy `data-copy`, and their label says so for a moment.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (button === null) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = 'Copiado';
  setTimeout(() => (button.textContent = 'Copiar'), 1500);
});

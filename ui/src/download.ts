/** Downloads a file under its own name. */
export function download(file: File): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  link.click();
  // Delayed: Safari starts reading after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

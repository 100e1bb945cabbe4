/** Longer sides are shrunk on the telephone: the server keeps less, and the line may be slow. */
const MOST_SIDE = 1_600;

/** A photo as base64, as small as it is of use; as it came where this browser cannot read it: the server says what is wrong. */
export async function readPhoto(photo: File): Promise<string> {
  return base64Of(await shrunk(photo).catch(() => photo));
}

async function shrunk(photo: File): Promise<Blob> {
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const pencil = canvas.getContext('2d');
    if (!pencil) return photo;
    // What is transparent would be black in a JPEG.
    pencil.fillStyle = '#fff';
    pencil.fillRect(0, 0, canvas.width, canvas.height);
    pencil.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
    return drawn ?? photo;
  } finally {
    bitmap.close();
  }
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable file')));
    reader.readAsDataURL(blob);
  });
}

import { PNG } from 'pngjs';
import { encode } from 'uqr';

/** Whether a point is black in a picture of a QR centred on white. */
function drawing(text: string, width: number, height: number): (x: number, y: number) => boolean {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const module = Math.floor(Math.min(width, height) / size);
  const left = Math.floor((width - module * size) / 2);
  const top = Math.floor((height - module * size) / 2);
  return (x, y) => data[Math.floor((y - top) / module)]?.[Math.floor((x - left) / module)] ?? false;
}

/** A photo of a QR, as PNG. */
export function qrPhoto(text: string, width = 900, height = 1_200): Buffer {
  const png = new PNG({ width, height });
  const isBlack = drawing(text, width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      png.data.fill(isBlack(x, y) ? 20 : 235, (y * width + x) * 4, (y * width + x) * 4 + 3);
      png.data[(y * width + x) * 4 + 3] = 255;
    }
  }
  return PNG.sync.write(png);
}

/** A still video of a QR, raw (YUV4MPEG2), which Chromium's fake camera loops. */
export function qrVideo(text: string, width = 640, height = 480): Buffer {
  const light = Buffer.alloc(width * height);
  const isBlack = drawing(text, width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) light[y * width + x] = isBlack(x, y) ? 30 : 220;
  }
  const colourless = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colourless]);
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  return Buffer.concat([header, ...Array.from({ length: 5 }, () => frame)]);
}

/** Why there is no picture: the buyer or a policy said no; there is none; it is taken; the browser cannot. */
export type CameraProblem = 'refused' | 'absent' | 'busy' | 'unsupported';

export class CameraError extends Error {
  readonly problem: CameraProblem;

  constructor(problem: CameraProblem, options?: ErrorOptions) {
    super(`camera: ${problem}`, options);
    this.name = 'CameraError';
    this.problem = problem;
  }
}

const PROBLEMS: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/**
 * The camera at the phone's back, or the only one. Rejects with a CameraError. Stop it with `closeCamera`.
 */
export async function openCamera(): Promise<MediaStream> {
  // Absent outside HTTPS, too.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices?.getUserMedia) throw new CameraError('unsupported');
  try {
    return await devices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
    });
  } catch (cause) {
    throw new CameraError(PROBLEMS[(cause as Error).name] ?? 'unsupported', { cause });
  }
}

export function closeCamera(stream: MediaStream): void {
  stream.getTracks().forEach((track) => track.stop());
}

// The torch is an extension that TypeScript's DOM does not know.
type TorchCapabilities = MediaTrackCapabilities & { torch?: boolean };

/** Whether the camera has a lamp that a page may switch. */
export function hasTorch(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0];
  return (track?.getCapabilities?.() as TorchCapabilities | undefined)?.torch === true;
}

/** Rejects when the phone will not. */
export async function switchTorch(stream: MediaStream, on: boolean): Promise<void> {
  await stream
    .getVideoTracks()[0]
    ?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
}

/** Why the camera did not open: denied, none there, in use, or unsupported. */
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

/** Opens the rear camera, or the only one. Rejects with CameraError. Stop it with `closeCamera`. */
export async function openCamera(): Promise<MediaStream> {
  // Also missing outside HTTPS.
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

// TypeScript's DOM types lack the torch.
type TorchCapabilities = MediaTrackCapabilities & { torch?: boolean };

/** Whether the page can switch the camera's torch. */
export function hasTorch(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0];
  return (track?.getCapabilities?.() as TorchCapabilities | undefined)?.torch === true;
}

/** Rejects if the phone refuses. */
export async function switchTorch(stream: MediaStream, on: boolean): Promise<void> {
  await stream
    .getVideoTracks()[0]
    ?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
}

import { vi } from 'vitest';

/** Puts a test's functions in place of some of `location`'s until all globals are unstubbed; the router reads the rest. */
export function stubLocation(stubs: Partial<Pick<Location, 'assign' | 'replace' | 'reload'>>): void {
  const real = location;
  const get = (_: object, key: keyof typeof stubs): unknown => stubs[key] ?? Reflect.get(real, key);
  vi.stubGlobal('location', new Proxy({}, { get }));
}

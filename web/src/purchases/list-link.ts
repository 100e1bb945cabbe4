/** Marks our own link back to the list, which returns to its place as the browser's Back does. */
export const BACK = { back: true };

/** The app, which every document starts once it is painted. */
export const APP = 'src/app/main.tsx';

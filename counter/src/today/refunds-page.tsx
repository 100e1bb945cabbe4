export { OwedRefunds as default } from './takings-page.tsx';

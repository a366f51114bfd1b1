export { StatusPageScreen } from './StatusPageScreen.tsx'

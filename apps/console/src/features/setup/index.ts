export { SetupScreen } from './components/SetupScreen.tsx'

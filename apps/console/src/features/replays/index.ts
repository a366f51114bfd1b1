export { ReplayScreen } from './components/ReplayScreen.tsx'

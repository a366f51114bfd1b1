export { PersonScreen } from './components/PersonScreen.tsx'

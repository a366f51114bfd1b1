export { AccountScreen } from './components/AccountScreen.tsx'

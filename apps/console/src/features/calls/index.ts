export { CallScreen } from './components/CallScreen.tsx'
export { CallsScreen } from './components/CallsScreen.tsx'

export { LogsScreen } from './components/LogsScreen.tsx'

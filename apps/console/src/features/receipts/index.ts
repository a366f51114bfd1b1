export { ReceiptsScreen } from './components/ReceiptsScreen.tsx'

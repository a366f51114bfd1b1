export { PerformanceScreen } from './components/PerformanceScreen.tsx'
export { TransactionScreen } from './components/TransactionScreen.tsx'

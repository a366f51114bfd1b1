export { PerformanceScreen } from './components/PerformanceScreen.tsx'
export { ProjectNames } from './components/ProjectNames.tsx'
export { TransactionScreen } from './components/TransactionScreen.tsx'

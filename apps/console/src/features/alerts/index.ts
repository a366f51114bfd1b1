export { AlertScreen } from './rule/AlertScreen.tsx'
export { AlertsScreen } from './list/AlertsScreen.tsx'
export { NewAlertScreen } from './NewAlertScreen.tsx'
export { find } from './find.ts'

export { ClicksScreen } from './ClicksScreen.tsx'
export { ReplaysScreen } from './ReplaysScreen.tsx'

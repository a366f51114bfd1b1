export { InboxScreen } from './components/InboxScreen.tsx'

export { InvitationScreen } from './components/InvitationScreen.tsx'
export { LogInScreen } from './components/LogInScreen.tsx'

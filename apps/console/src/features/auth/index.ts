export { AuthPage } from './components/AuthPage.tsx'
export { InvitationScreen } from './components/InvitationScreen.tsx'
export { LogInScreen } from './components/LogInScreen.tsx'
export { PasswordInput } from './components/PasswordInput.tsx'

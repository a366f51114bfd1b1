export { AuthPage } from './components/AuthPage.tsx'
export { PasswordInput } from './components/PasswordInput.tsx'

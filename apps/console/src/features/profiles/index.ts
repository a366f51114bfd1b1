export { ProfileScreen } from './components/ProfileScreen.tsx'
export { ProfilesScreen } from './components/ProfilesScreen.tsx'
export { SumScreen } from './components/SumScreen.tsx'

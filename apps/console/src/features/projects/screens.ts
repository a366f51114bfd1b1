export { GettingStartedScreen } from './components/GettingStartedScreen.tsx'
export { NewProjectScreen } from './components/NewProjectScreen.tsx'

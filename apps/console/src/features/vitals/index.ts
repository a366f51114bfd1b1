export { PageScreen } from './components/PageScreen.tsx'
export { VitalsScreen } from './components/VitalsScreen.tsx'

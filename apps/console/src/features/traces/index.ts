export { TraceScreen } from './components/TraceScreen.tsx'

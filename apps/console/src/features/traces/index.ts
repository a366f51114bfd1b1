export { TraceScreen } from './components/TraceScreen.tsx'
export { TracesScreen } from './components/TracesScreen.tsx'

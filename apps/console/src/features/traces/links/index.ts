export { TraceLink } from './TraceLink.tsx'

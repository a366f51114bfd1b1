export { type Clock, SmallTrace } from './SmallTrace.tsx'

/** Tests from replays: what a visitor did until an error came, as source of a Playwright test. */
export { ASSERTION } from './runtime.ts'
export { StepReader } from './steps.ts'
export type { Flow } from './write-flow.ts'
export { writeTest, type ReplayFacts, type ReplayTest, type Scrubbing } from './write-test.ts'

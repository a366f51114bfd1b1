import { lazyPart } from '../../../ui/index.ts'

/** Its code comes with that of waterfalls, when somebody looks at it. */
export const Traces = lazyPart(() => import('./Traces.tsx').then((module) => module.Traces))

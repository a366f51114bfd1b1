import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'

const findingSettings = screen(() => import('./index.ts'), 'ProjectFindings')

/** Problems that spans show: which are looked for. Their issues are shown by the features of issues. */
export const findings = feature({
  routes: [],
  projectSettings: [{ value: 'findings', label: 'Findings', screen: findingSettings }],
})

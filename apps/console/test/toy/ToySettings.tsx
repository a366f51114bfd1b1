import type { ProjectSettingsProps } from '../../src/shell/feature.ts'

export function ToySettings({ org, project, mayWrite }: ProjectSettingsProps) {
  return (
    <p>
      {project.name} of {org} {mayWrite ? 'may' : 'may not'} have toys.
    </p>
  )
}

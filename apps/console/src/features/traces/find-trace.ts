import type { Find } from '../../shell/feature.ts'
import { TracesIcon } from '../../ui/index.ts'

/** A trace id that was pasted, also with dashes as a UUID has them. Nobody is asked: its page says whether it is known. */
export const find: Find = async (text, { org, navigate }) => {
  const trace = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(trace)) return []
  return [
    {
      id: `trace-${trace}`,
      label: `Open trace ${trace}`,
      keywords: [text],
      group: 'Traces',
      icon: TracesIcon,
      run: () => void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace } }),
    },
  ]
}

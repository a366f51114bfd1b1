import type { ReplayMark } from '@firsthand/contract'

const NETWORKS: Readonly<Record<string, string>> = {
  offline: 'The phone went offline',
  wifi: 'Connected by Wi-Fi',
  cellular: 'Connected by mobile data',
  ethernet: 'Connected by cable',
}

const wordOf = (words: Readonly<Record<string, string>>, name: string, other: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? other) : other

/** What the SDK of a phone notes of the phone, in words; null for a note of anything else. */
export function phoneWords({ text, detail }: Pick<ReplayMark, 'text' | 'detail'>): { readonly text: string } | null {
  switch (text) {
    case 'app.foreground':
      return { text: 'The app came to the front' }
    case 'app.background':
      return { text: 'The app went to the background' }
    case 'device.battery': {
      const level = Number(detail['level'] ?? '')
      const charge =
        detail['level'] === undefined || !Number.isFinite(level) ? 'Battery' : `Battery at ${Math.round(level)}%`
      return { text: detail['charging'] === 'true' ? `${charge}, charging` : charge }
    }
    case 'device.connectivity':
      return { text: wordOf(NETWORKS, detail['state'] ?? '', 'The connection changed') }
    case 'device.orientation':
      return { text: detail['position'] === 'landscape' ? 'Turned on its side' : 'Turned upright' }
    default:
      return null
  }
}

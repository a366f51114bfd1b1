import { normalHost } from '../lib/allowed-hosts.ts'
import { badRequest, type HttpError } from './errors.ts'

const refused = (sentence: string): HttpError => badRequest(sentence, { hosts: sentence })

/**
 * Hosts as an admin wrote them → as they are kept, each once.
 *
 * @param isOn something is to be fetched from them
 * @throws HttpError 400 at the first that is none, and when there is none although there has to be
 */
export const readHosts = (written: readonly string[], isOn: boolean): string[] => {
  const hosts = new Set<string>()
  for (const one of written) {
    const host = normalHost(one)
    if (host === null) {
      throw refused(
        `"${one}" is no host. Write for example cdn.shop.example, *.shop.example or https://shop.example:8443, without a path.`,
      )
    }
    hosts.add(host)
  }
  if (isOn && hosts.size === 0) throw refused('Name at least one host: nothing is fetched from any other.')
  return [...hosts]
}

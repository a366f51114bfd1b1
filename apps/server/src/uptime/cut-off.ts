import { finding } from '../lib/findings.ts'

export const cutOff = () =>
  finding(
    'uptime_cut_off',
    'Most addresses that this server asks cannot be reached from here: for the first minutes their uptime is unknown and nobody is told, then they are down and people are told. Look at the network and the name server of this machine.',
  )

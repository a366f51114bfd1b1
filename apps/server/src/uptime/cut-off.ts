import { finding } from '../lib/findings.ts'

export const cutOff = () =>
  finding(
    'uptime_cut_off',
    'Most addresses that this server asks cannot be reached from here: their uptime is unknown meanwhile, and nobody is told that they are down. Look at the network and the name server of this machine.',
  )

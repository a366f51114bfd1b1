import { pictureTexts } from './picture.ar.ts'
import { texts } from './ar.ts'
import { topicTexts } from './topic.ar.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }

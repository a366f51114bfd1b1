import { pictureTexts } from './picture.fr.ts'
import { texts } from './fr.ts'
import { topicTexts } from './topic.fr.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }

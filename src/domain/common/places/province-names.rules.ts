/**
 * Names of Italy's provinces, as people, shops and registries write them. Sources, read on 2026-11-28: ISTAT, "Codici delle
 * unità amministrative" (110 provinces, since 17 July 2025 with Sardinia's eight); the statutes of the regions with several
 * languages; CLDR 48 and atlases for the German, French and English names.
 */

/** Italian names, the official one first. */
const ITALIAN = `
  AG Agrigento, AL Alessandria, AN Ancona, AO Aosta, AO Valle d'Aosta, AO Val d'Aosta, AP Ascoli Piceno, AP Ascoli,
  AQ L'Aquila, AQ Aquila, AR Arezzo, AT Asti, AV Avellino, BA Bari, BG Bergamo, BI Biella, BL Belluno, BN Benevento,
  BO Bologna, BR Brindisi, BS Brescia, BT Barletta-Andria-Trani, BT BAT, BT Barletta, BT Andria, BT Trani, BZ Bolzano,
  BZ Alto Adige, CA Cagliari, CB Campobasso, CE Caserta, CH Chieti, CI Carbonia-Iglesias, CI Carbonia, CI Iglesias,
  CI Sulcis Iglesiente, CI Sulcis, CL Caltanissetta, CN Cuneo, CO Como, CR Cremona, CS Cosenza, CT Catania, CZ Catanzaro,
  EN Enna, FC Forlì-Cesena, FC Forlì, FC Forlì e Cesena, FC Cesena, FE Ferrara, FG Foggia, FI Firenze, FM Fermo,
  FR Frosinone, GE Genova, GO Gorizia, GR Grosseto, IM Imperia, IS Isernia, KR Crotone, LC Lecco, LE Lecce, LI Livorno,
  LO Lodi, LT Latina, LU Lucca, MB Monza e della Brianza, MB Monza e Brianza, MB Monza Brianza, MB Monza, MB Brianza,
  MC Macerata, ME Messina, MI Milano, MN Mantova, MO Modena, MS Massa-Carrara, MS Massa e Carrara, MS Massa, MS Carrara,
  MT Matera, NA Napoli, NO Novara, NU Nuoro, OG Ogliastra, OR Oristano, OT Olbia-Tempio, OT Olbia, OT Tempio Pausania,
  OT Gallura, OT Gallura Nord-Est Sardegna, PA Palermo, PC Piacenza, PD Padova, PE Pescara, PG Perugia, PI Pisa,
  PN Pordenone, PO Prato, PR Parma, PT Pistoia, PU Pesaro e Urbino, PU Pesaro-Urbino, PU Pesaro, PU Urbino, PV Pavia,
  PZ Potenza, RA Ravenna, RC Reggio Calabria, RC Reggio di Calabria, RE Reggio Emilia, RE Reggio nell'Emilia, RG Ragusa,
  RI Rieti, RM Roma, RM Roma Capitale, RN Rimini, RO Rovigo, SA Salerno, SI Siena, SO Sondrio, SP La Spezia, SP Spezia,
  SR Siracusa, SS Sassari, SU Sud Sardegna, SV Savona, TA Taranto, TE Teramo, TN Trento, TN Trentino, TO Torino, TP Trapani,
  TR Terni, TS Trieste, TV Treviso, UD Udine, VA Varese, VB Verbano-Cusio-Ossola, VB Verbania, VB VCO, VC Vercelli,
  VE Venezia, VI Vicenza, VR Verona, VS Medio Campidano, VS MD, VT Viterbo, VV Vibo Valentia, VV Vibo
`;

/** The other languages of the regions: German, French, Slovene, Friulian and Sardinian. */
const OTHER_LANGUAGES = `
  BZ Bozen, BZ Südtirol, BZ Suedtirol, TN Trient, AO Aoste, AO Vallée d'Aoste, AO Val d'Aoste, AO Aostatal, TS Trst, GO Gorica,
  GO Görz, GO Gurize, TS Triest, UD Videm, UD Udin, UD Weiden, PN Pordenon, CA Casteddu, SS Tàtari, SS Thathari, NU Nùgoro,
  OR Aristanis
`;

/** German, French and English names of the others. */
const FOREIGN = `
  MI Mailand, MI Milan, RM Rom, RM Rome, VE Venedig, VE Venise, VE Venice, TO Turin, GE Genua, GE Gênes, GE Genoa, NA Neapel,
  NA Naples, FI Florenz, FI Florence, PD Padua, PD Padoue, MN Mantua, MN Mantoue, SR Syrakus, SR Syracuse, TA Tarent,
  TA Tarente, AG Agrigent, AG Agrigente, TN Trente, BZ South Tyrol, BZ Haut-Adige, AO Aosta Valley, VR Vérone, VI Vicence,
  TV Trévise, PC Plaisance, PR Parme, MO Modène, BO Bologne, FE Ferrare, RA Ravenne, PG Pérouse, SI Sienne, PI Pise, LU Lucques,
  LI Livourne, LI Leghorn, PT Pistoie, AN Ancône, CR Crémone, PV Pavie, BG Bergame, CO Côme, NO Novare, VC Verceil, VC Verceils,
  AL Alexandrie, CN Coni, CT Catane, PA Palerme, ME Messine, RG Raguse, SA Salerne, BN Bénévent, CS Cosence, VT Viterbe,
  SV Savone, BI Bielle, FC Forlì-Césène, MS Massa-Carrare, RC Reggio de Calabre, RE Reggio d'Émilie, MB Monza et Brianza,
  MB Monza und Brianza, MB Monza and Brianza, PU Pesaro et Urbino, PU Pesaro und Urbino, PU Pesaro and Urbino, SU South Sardinia
`;

/** Abbreviations that are no longer in use: Forlì and Pesaro until 1999; and those that several letters stand for. */
const FORMER_ABBREVIATIONS = 'FC FO, PU PS, RM ROMA';

const entriesOf = (text: string) =>
  text
    .trim()
    .split(/,\s*/)
    .map(entry => [entry.slice(0, 2), entry.slice(3)] as const);

/** Every name with its abbreviation. */
export const PROVINCE_NAMES: readonly (readonly [code: string, name: string])[] = [
  ITALIAN,
  OTHER_LANGUAGES,
  FOREIGN,
  FORMER_ABBREVIATIONS,
].flatMap(entriesOf);

import { type Exchange, json, type ServedAnswer } from '../http/answers.ts';

/** A few of the platform's regions: code, place, country, continent, and where they are. */
const REGIONS: readonly (readonly [string, string, string, string, number, number])[] = [
  ['DE', 'Frankfurt', 'DE', 'EU', 50.11, 8.68],
  ['UK', 'London', 'GB', 'EU', 51.51, -0.13],
  ['NY', 'New York City', 'US', 'NA', 40.71, -74.01],
  ['LA', 'Los Angeles', 'US', 'NA', 34.05, -118.24],
  ['SG', 'Singapore', 'SG', 'ASIA', 1.35, 103.82],
  ['SYD', 'Sydney', 'AU', 'ASIA', -33.87, 151.21],
  ['BR', 'Sao Paulo', 'BR', 'SA', -23.55, -46.63],
  ['JH', 'Johannesburg', 'ZA', 'AF', -26.2, 28.05],
];

/** GET /region: a bare list. */
export function listRegions(_call: Exchange): ServedAnswer {
  return json(
    REGIONS.map(([code, place, country, continent, latitude, longitude], at) => ({
      Id: at + 1,
      Name: place,
      PricePerGigabyte: 0.01,
      RegionCode: code,
      ContinentCode: continent,
      CountryCode: country,
      Latitude: latitude,
      Longitude: longitude,
      AllowLatencyRouting: true,
    })),
  );
}

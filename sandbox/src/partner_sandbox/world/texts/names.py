"""Invented names by language. An underscore stands for a space."""

from random import Random

FEMALE = {
    "fr": """
    Camille Léa Inès Manon Chloé Émilie Aurélie Solène Margaux Élise Juliette Capucine
    Océane Apolline Clémence Bérénice Maëlle Noémie Sidonie Anaïs Hélène Odile Mathilde
    Agathe Louise Jeanne Delphine Rosalie Céleste Ludivine Marion Victoire Garance Héloïse
    Salomé Lucile Gabrielle Violette Constance Philippine
    """,
    "en": """
    Amelia Isla Freya Poppy Maisie Imogen Tess Harriet Beatrix Eleanor Rosalind Phoebe
    Matilda Florence Georgina Nell Clementine Ottilie Audrey Marianne Bridget Fiona Catriona
    Rhiannon Winifred Josephine Cordelia Heather Abigail Charlotte Molly Tabitha Verity
    Hazel Naomi Penelope Sylvia Ada Louisa Gemma
    """,
    "es": """
    Lucía Sofía Martina Carmen Noa Begoña Ainhoa Rocío Ximena Macarena Inmaculada Alba Paula
    Nerea Candela Triana Leire Itziar Valentina Renata Jimena Amparo Remedios Julieta
    Catalina Ariadna Marisol Esperanza Elvira Blanca Mencía Olalla Estrella Graciela Pilar
    Consuelo Abril Vega Lola Aitana
    """,
    "it": """
    Giulia Chiara Ginevra Elena Beatrice Ludovica Fiammetta Ilaria Martina Caterina Ottavia
    Benedetta Rosalba Allegra Viola Costanza Serena Loredana Mirella Federica Arianna Noemi
    Eleonora Margherita Francesca Alessia Donatella Emma Bianca Letizia
    """,
    "de": """
    Lena Marie Käthe Anneliese Greta Friederike Hannelore Mathilda Ida Leonie Frieda Wiebke
    Antje Katharina Johanna Svenja Ulrike Gesine Theresa Charlotte Rosa Henrike Carla Maren
    Birgit Annika Dorothea Franziska Paulina Elsa
    """,
    "nl": "Sanne Femke Lotte Anouk Marijke Fleur Saskia Roos Maartje Liesbeth Evi Noortje",
    "pt": """
    Inês Beatriz Conceição Mafalda Leonor Madalena Catarina Graça Teresa Rita Joana Matilde
    """,
    "pl": "Zofia Małgorzata Agnieszka Katarzyna Hanna Joanna Oliwia Bożena Łucja Kinga",
    "ja": "さくら 由美子 美咲 陽菜 葵 千尋 香織 直子 恵 凛 真由美 彩花 京子 桃子 結衣 里奈",
    "zh": """
    Wei_Ling Hui_Min Xin_Yi Jia_Hui Mei_Fang Li_Na Siew_Lan Yi_Xuan Shu_Fen Kai_Ting
    """,
    "hi": "Priya Ananya Kavya Meera Lakshmi Nandini Ishita Shreya Radhika Anjali",
    "ar": "ليلى نور فاطمة مريم سارة هند ريم دانة",
    "vi": "Nguyệt Hương Linh Thảo Mai Ngọc Lan",
}
MALE = {
    "fr": """
    Hugo Jules Louis Théo Étienne Noé Bastien Gaspard Lucien Anselme Rémi Thibault Côme
    Maxence Octave Augustin Félix Raphaël Basile Cyprien Édouard Florian Guillaume Joachim
    Léonard Marius Nathan Olivier Pascal Quentin Sylvain Timothée Valentin Xavier Yann
    Antonin Blaise Corentin Damien Fabrice
    """,
    "en": """
    Oliver George Harry Alfie Callum Ned Rupert Angus Barnaby Cedric Dominic Edmund Fergus
    Gareth Hamish Isaac Jasper Kenneth Lachlan Magnus Nathaniel Oscar Percy Quentin Reginald
    Stanley Theodore Walter Alistair Benedict Conrad Desmond Ewan Felix Graham Henry Jonah
    Leo Miles Tristan
    """,
    "es": """
    Mateo Álvaro Íñigo Joaquín Hugo Gonzalo Rodrigo Iker Unai Pelayo Ramiro Santiago
    Emiliano Facundo Gael Héctor Ignacio Jacinto Lautaro Leandro Marcelo Nicolás Octavio
    Patricio Rafael Sebastián Teodoro Ulises Vicente Xoel Adrián Bruno César Damián Esteban
    Fermín Gerardo Hernán Julián Mauricio
    """,
    "it": """
    Lorenzo Matteo Niccolò Tommaso Pietro Alessandro Ettore Fabrizio Giacomo Leonardo
    Massimo Ottavio Raffaele Salvatore Umberto Vittorio Aurelio Bruno Cesare Dario Emanuele
    Filippo Gianluca Jacopo Luigi Manfredi Nino Orlando Riccardo Simone
    """,
    "de": """
    Jonas Felix Jürgen Moritz Björn Sören Anton Bruno Christoph Dietrich Emil Friedrich
    Gottfried Henning Ingo Joachim Konrad Leopold Matthias Niklas Oskar Philipp Ruprecht
    Sebastian Tilman Ulrich Valentin Wendelin Xaver Till
    """,
    "nl": "Daan Bram Sjoerd Thijs Jeroen Pieter Ruben Joost Maarten Wouter Kees Gijs",
    "pt": """
    João Tomás Gonçalo Afonso Duarte Francisco Henrique Martim Rodrigo Simão Vasco Nuno
    """,
    "pl": "Jakub Łukasz Wojciech Stanisław Grzegorz Marek Tadeusz Zbigniew Kacper Paweł",
    "ja": "健太 大輔 翔太 拓海 蓮 直樹 悠斗 修一 浩二 和也 隆 誠 颯太 亮 航 大和",
    "zh": """
    Wei_Jie Jun_Hao Zhi_Hong Boon_Keng Kai_Wen Jian_Ming Yong_Sheng De_Quan Hock_Seng
    Zi_Yang
    """,
    "hi": "Arjun Rohan Vikram Aditya Karthik Sanjay Nikhil Rahul Varun Dev",
    "ar": "يوسف خالد عمر سلطان ماجد راشد حمد طارق",
    "vi": "Đức Tuấn Minh Hải Quang Phúc Sơn",
}
LAST = {
    "fr": """
    Marchand Delorme Vasseur Lefèvre Roussel d'Aubigny Chevrier Béranger Le_Guen Périn
    Bonnefoy Charpentier Delacour Escoffier Fontanel Gauthier Hébrard Imbert Jourdain
    Kerouac Lambert Montclar Noailles Ozanne Pélissier Quéméner Rochefort Sauvage Thibaudet
    Urbain Verdier Wattiez Armand Blanchet Castelnau Dumontier Estève Fauré Garnier Haumont
    Joubert Lacombe Maréchal Nicollet Olivier Perrault Ravel Saint-Clair Tournier Vidal
    de_Brémond du_Plessis
    """,
    "en": """
    Ashdown Pemberton Whitlock Hargreave O'Connell Thistlewood Marlowe Fairbairn Nott Quill
    Abernathy Blackwood Carmichael Dunmore Ellsworth Fenwick Galbraith Hathersage Ingram
    Jessop Kirkbride Lockhart MacAllister Northcote Oakeshott Prendergast Ravenscroft
    Sinclair Tennant Underhill Vance Wetherby Yarrow Aldridge Bexley Cavendish Dalrymple
    Everett Fitzgerald Greaves Holloway Kingsley Langley Merriweather Newbold Osborne
    Penhaligon Rutherford Somerville Trevelyan Winslow Hartley
    """,
    "es": """
    Alborán Ibáñez Peñalver Quintana Zubiri Muñoz-Seca Carrasco Valdés Larrea Aguirre
    Bermúdez Cifuentes Echeverría Figueroa Gallardo Henares Iriarte Jaramillo Lozano
    Maldonado Navarrete Ordóñez Palacios Quiroga Rentería Saavedra Tejada Urrutia Villanueva
    Yáñez Zamora Arriaga Beltrán Cárdenas Elizondo Fuentes Guzmán Hinojosa Linares Montalvo
    Nieto Olmedo Pizarro Robledo Salvatierra Toledano Uribe Vizcaíno de_la_Vega del_Río
    """,
    "it": """
    Bellandi Corsini Degli_Esposti Ferrante Moretti Valsecchi D'Amico Lunardi Acquaviva
    Baldini Cattaneo De_Luca Fabbri Galimberti Innocenti Lombardi Marchetti Nardini Orsini
    Pellegrini Quaranta Righetti Salvemini Tedeschi Ubaldi Visconti Zanardi Barbieri Colonna
    Gherardi
    """,
    "de": """
    Hoffstätter Köhler Lindqvist Größler Vogelsang Brückner von_Rabenau Weißhaupt Ackermann
    Baumgärtner Distelmeier Eisenhauer Falkenberg Grünwald Hagedorn Immenroth Jäger
    Kirchhoff Lautenbach Morgenroth Niedermayer Oberländer Pfeiffer Rosenzweig Schönfeld
    Tannhäuser Uhlmann Wiesengrund Zöllner von_Stetten
    """,
    "nl": """
    van_der_Velde de_Groot Kuipers ten_Brink Hoekstra Vermeulen van_Dijk Brouwer Zandstra
    Postma
    """,
    "pt": """
    Carvalhais Nóbrega Magalhães Sequeira dos_Santos Figueiredo Vasconcelos Bragança Lobo
    Távora
    """,
    "pl": "Kowalczyk Zając Brzęczyszczykiewicz Nowak Mazur Wrona Sikora Gajda",
    "ja": "高橋 佐藤 山本 中村 小林 加藤 吉田 渡辺 松本 井上 木村 清水 山口 森 池田 橋本",
    "zh": "Tan Lim Lee Ng Wong Goh Chua Koh Teo Ong Chen Lin",
    "hi": "Sharma Iyer Menon Kapoor Reddy Banerjee Chatterjee Nair Desai Mehta",
    "ar": "الخطيب منصور المهيري الكتبي السويدي الشامسي حداد",
    "vi": "Nguyễn Trần Phạm Lê Hoàng Vũ",
}


def _split(names: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        language: tuple(name.replace("_", " ") for name in text.split())
        for language, text in names.items()
    }


WOMEN, MEN, FAMILIES = _split(FEMALE), _split(MALE), _split(LAST)
# A title says who bears it; those that are not here are anybody's.
TITLES = {
    **dict.fromkeys(("mrs", "ms", "madam_ambassador", "madam_president", "princess"), "f"),
    **dict.fromkeys(("countess", "duchess", "lady", "baroness"), "f"),
    **dict.fromkeys(("mr", "lord", "prince", "count", "duke", "sir", "baron"), "m"),
}
OF_WOMEN = frozenset(name for names in WOMEN.values() for name in names)
OF_MEN = frozenset(name for names in MEN.values() for name in names)


def full_name(luck: Random, language: str) -> tuple[str, str, str]:
    """First name, last name, and whether it is a woman's or a man's: f or m."""
    sex = luck.choice("fm")
    first = luck.choice((WOMEN if sex == "f" else MEN)[language])
    return first, luck.choice(FAMILIES[language]), sex


def fits(title: str, first: str) -> bool:
    """Whether somebody of this first name may bear the title."""
    bearer = TITLES.get(title)
    return bearer is None or first in (OF_WOMEN if bearer == "f" else OF_MEN)

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>BarrierText</name>
    <message>
        <source>The towers arrive within %1 of each other, on average.</source>
        <translation>Die Tower kommen im Mittel innerhalb von %1 an.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>The towers share processors: one of them waits %1 of each step for its turn.</source>
        <translation>Die Tower teilen sich Prozessoren: einer wartet %1 jedes Schritts auf seinen Zug.</translation>
    </message>
    <message>
        <source>All wait %1 of the time for data.</source>
        <translation>Alle warten %1 der Zeit auf Daten.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>tower and rank</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>The clocks of the ranks agree within %1.</source>
        <translation>Die Uhren der Ränge stimmen auf %1 überein.</translation>
    </message>
    <message>
        <source>The clocks of the GPUs agree within %1.</source>
        <translation>Die Uhren der GPUs stimmen auf %1 überein.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>durations</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>From outside the backward passes take %1, whoever is slow. By themselves they take %2, that of tower %3 the longest.</source>
        <translation>Von außen dauern die Rückwärtsläufe %1, wer auch langsam ist. Für sich dauern sie %2, der von Tower %3 am längsten.</translation>
    </message>
</context>
<context>
    <name>BatchPreview</name>
    <message>
        <source>%1 %2</source>
        <comment>a number of examples and their class</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1; images of %2</source>
        <comment>how files are laid out, and their sizes</comment>
        <translation>%1; Bilder von %2</translation>
    </message>
    <message>
        <source>%1 % %2, %3</source>
        <comment>share and name of a class, and another one</comment>
        <translation>%1 % %2, %3</translation>
    </message>
</context>
<context>
    <name>BatchWords</name>
    <message>
        <source>1 tower × %1 = %2 examples a step</source>
        <translation>1 Tower × %1 = %2 Beispiele pro Schritt</translation>
    </message>
    <message>
        <source>%1 towers × %2 = %3 examples a step</source>
        <translation>%1 Tower × %2 = %3 Beispiele pro Schritt</translation>
    </message>
    <message>
        <source>a step goes through the data %1 times</source>
        <translation>ein Schritt geht %1-mal durch die Daten</translation>
    </message>
    <message>
        <source>1 step an epoch</source>
        <translation>1 Schritt pro Epoche</translation>
    </message>
    <message>
        <source>%1 steps an epoch</source>
        <translation>%1 Schritte pro Epoche</translation>
    </message>
    <message>
        <source>%1, none carried over</source>
        <translation>%1, kein Beispiel bleibt übrig</translation>
    </message>
    <message>
        <source>%1, %2 examples carried over</source>
        <translation>%1, %2 Beispiele in die nächste übernommen</translation>
    </message>
    <message>
        <source>1 step = %1 epochs</source>
        <translation>1 Schritt = %1 Epochen</translation>
    </message>
    <message>
        <source>%1 steps = %2 epochs</source>
        <translation>%1 Schritte = %2 Epochen</translation>
    </message>
    <message>
        <source>Tried and found best: %1</source>
        <translation>Probiert und am besten: %1</translation>
    </message>
    <message>
        <source>What Find Learning Rate suggests for this run</source>
        <translation>Was „Lernrate suchen“ für diesen Lauf vorschlägt</translation>
    </message>
    <message>
        <source>Linear scaling from a batch of %1 gives %2</source>
        <translation>Lineare Skalierung vom Batch %1 aus ergibt %2</translation>
    </message>
    <message>
        <source>So large a rate makes the loss infinite in a few steps</source>
        <translation>Eine so große Rate macht den Loss in wenigen Schritten unendlich</translation>
    </message>
    <message>
        <source>With a rate of 0 the weights never change</source>
        <translation>Bei Rate 0 ändern sich die Gewichte nie</translation>
    </message>
    <message>
        <source>A batch that is k times as large takes k times the learning rate: Goyal et al., “Accurate, Large Minibatch SGD”, 2017, arXiv:1706.02677. They let the rate rise over the first epochs (learning_rate.warmup); and the rule ends where the batch gets too large. It starts from the rate that the network was published with.</source>
        <translation>Ein k-mal so großer Batch verträgt die k-fache Lernrate: Goyal et al., „Accurate, Large Minibatch SGD“, 2017, arXiv:1706.02677. Sie lassen die Rate in den ersten Epochen ansteigen (learning_rate.warmup); und die Regel endet, wo der Batch zu groß wird. Sie geht von der Rate aus, mit der das Netz veröffentlicht wurde.</translation>
    </message>
</context>
<context>
    <name>ChartPicture</name>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
</context>
<context>
    <name>ColorMenu</name>
    <message>
        <source>&amp;Colour…</source>
        <translation>&amp;Farbe…</translation>
    </message>
    <message>
        <source>&amp;Usual Colour</source>
        <translation>&amp;Übliche Farbe</translation>
    </message>
    <message>
        <source>Colour of Tower %1</source>
        <translation>Farbe von Tower %1</translation>
    </message>
    <message>
        <source>Colour of the Run</source>
        <translation>Farbe des Laufs</translation>
    </message>
</context>
<context>
    <name>DistortionText</name>
    <message>
        <source>contrast × %1</source>
        <translation>Kontrast × %1</translation>
    </message>
    <message>
        <source>crop %1 wide, %2 high, from column %3, row %4</source>
        <translation>Ausschnitt %1 breit, %2 hoch, ab Spalte %3, Zeile %4</translation>
    </message>
    <message>
        <source>mirrored left to right</source>
        <translation>links und rechts vertauscht</translation>
    </message>
    <message>
        <source>not mirrored</source>
        <translation>nicht gespiegelt</translation>
    </message>
    <message>
        <source>bilinear</source>
        <translation>bilinear</translation>
    </message>
    <message>
        <source>nearest pixel</source>
        <translation>nächstes Pixel</translation>
    </message>
    <message>
        <source>bicubic</source>
        <translation>bikubisch</translation>
    </message>
    <message>
        <source>mean of the area</source>
        <translation>Mittel der Fläche</translation>
    </message>
    <message>
        <source>resized to %1 × %2: %3</source>
        <translation>auf %1 × %2 gebracht: %3</translation>
    </message>
    <message>
        <source>saturation × %1</source>
        <translation>Sättigung × %1</translation>
    </message>
    <message>
        <source>hue %1 turns</source>
        <translation>Farbton %1 Umdrehungen</translation>
    </message>
    <message>
        <source>brightness %1</source>
        <translation>Helligkeit %1</translation>
    </message>
    <message>
        <source>brightness %1 of 255</source>
        <translation>Helligkeit %1 von 255</translation>
    </message>
    <message>
        <source>standardised: mean 0, deviation 1</source>
        <translation>standardisiert: Mittel 0, Abweichung 1</translation>
    </message>
    <message>
        <source>mirrored top to bottom</source>
        <translation>oben und unten vertauscht</translation>
    </message>
    <message>
        <source>not turned upside down</source>
        <translation>nicht auf den Kopf gestellt</translation>
    </message>
    <message>
        <source>the whole image, resized to %1 × %2</source>
        <translation>das ganze Bild, auf %1 × %2 gebracht</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>tower {}: the gradient of &apos;{}&apos; is row-sparse; only dense gradients can be averaged, because the towers&apos; rows differ and the sum would depend on them: make it dense</source>
        <translation>Tower {}: der Gradient von „{}“ ist zeilenweise dünn besetzt; nur dichte Gradienten lassen sich mitteln, weil die Zeilen der Tower verschieden sind und die Summe davon abhinge: machen Sie ihn dicht</translation>
    </message>
    <message>
        <source>tower {}: the gradient of &apos;{}&apos; has the shape [{}], but the parameter has [{}]</source>
        <translation>Tower {}: der Gradient von „{}“ hat die Form [{}], der Parameter aber [{}]</translation>
    </message>
    <message>
        <source>tower {} has no gradient for &apos;{}&apos;, but other towers have; set averaging.missing_gradient = &quot;zeros&quot; to count it as zeros</source>
        <translation>Tower {} hat keinen Gradienten für „{}“, andere Tower aber schon; mit averaging.missing_gradient = &quot;zeros&quot; zählt er als Nullen</translation>
    </message>
    <message>
        <source>averaging.missing_gradient is &apos;{}&apos;; choose error or zeros</source>
        <translation>averaging.missing_gradient ist „{}“; wählen Sie error oder zeros</translation>
    </message>
    <message>
        <source>model.moments is &apos;{}&apos;; choose mean, last or first</source>
        <translation>model.moments ist „{}“; wählen Sie mean, last oder first</translation>
    </message>
    <message>
        <source>tower {}: an empty batch has no gradient</source>
        <translation>Tower {}: ein leerer Batch hat keinen Gradienten</translation>
    </message>
    <message>
        <source>create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>{}: can&apos;t {} it{}</source>
        <translation>{}: {} ist nicht möglich{}</translation>
    </message>
    <message>
        <source>write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>Sichern auf der Platte</translation>
    </message>
    <message>
        <source>rename the temporary file to</source>
        <translation>Umbenennen der vorläufigen Datei</translation>
    </message>
    <message>
        <source>open the folder of</source>
        <translation>Öffnen des Ordners</translation>
    </message>
    <message>
        <source>sync the folder of</source>
        <translation>Sichern des Ordners auf der Platte</translation>
    </message>
    <message>
        <source>internal error: </source>
        <translation>Interner Fehler: </translation>
    </message>
    <message>
        <source>the system gave {} of {} &apos;{}&apos; threads ({}): use fewer towers or threads</source>
        <translation>das System gab {} von {} Threads für „{}“ ({}): nehmen Sie weniger Tower oder Threads</translation>
    </message>
    <message>
        <source>left to the system</source>
        <translation>dem System überlassen</translation>
    </message>
    <message>
        <source>{} threads, but {} processors may be used</source>
        <translation>{} Threads, aber nur {} Prozessoren stehen zur Verfügung</translation>
    </message>
    <message>
        <source>the control group grants the time of {:.3g} processors</source>
        <translation>die Kontrollgruppe gewährt die Zeit von {} Prozessoren</translation>
    </message>
    <message>
        <source>the system refuses</source>
        <translation>das System lehnt ab</translation>
    </message>
    <message>
        <source>more than 2 GiB</source>
        <translation>mehr als 2 GiB</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>kein Grund genannt</translation>
    </message>
    <message>
        <source>it holds no pixels</source>
        <translation>es enthält keine Pixel</translation>
    </message>
    <message>
        <source>it is cut short</source>
        <translation>es ist abgeschnitten</translation>
    </message>
    <message>
        <source>the PNGs of 16 bits have no value above {}, so that only {} of 256 levels are used; if their camera has {} bits, set dataset.bits = {}</source>
        <translation>die PNGs mit 16 Bit haben keinen Wert über {}, sodass nur {} von 256 Stufen genutzt werden; wenn ihre Kamera {} Bit hat, setzen Sie dataset.bits = {}</translation>
    </message>
    <message>
        <source>{}: is a JPEG, whose compression leaves marks where there were none; a label has to be a BMP or PNG, or set dataset.mask_threshold = 128</source>
        <translation>{}: ist ein JPEG, dessen Komprimierung Spuren hinterlässt, wo keine waren; ein Label muss BMP oder PNG sein, oder setzen Sie dataset.mask_threshold = 128</translation>
    </message>
    <message>
        <source>{}: has a value of {}, which are more than the {} bits that dataset.bits says</source>
        <translation>{}: hat einen Wert von {}, mehr als die {} Bit, die dataset.bits nennt</translation>
    </message>
    <message>
        <source>{}: the file is empty; get it again</source>
        <translation>{}: die Datei ist leer; holen Sie sie neu</translation>
    </message>
    <message>
        <source>{}: is not a JPEG, PNG or BMP image, whatever its name says; replace it by one</source>
        <translation>{}: ist kein JPEG-, PNG- oder BMP-Bild, was auch der Name sagt; ersetzen Sie es durch eines</translation>
    </message>
    <message>
        <source>a GIF image</source>
        <translation>ein GIF-Bild</translation>
    </message>
    <message>
        <source>a WebP image</source>
        <translation>ein WebP-Bild</translation>
    </message>
    <message>
        <source>a TIFF image</source>
        <translation>ein TIFF-Bild</translation>
    </message>
    <message>
        <source>an AVIF image</source>
        <translation>ein AVIF-Bild</translation>
    </message>
    <message>
        <source>a HEIC image</source>
        <translation>ein HEIC-Bild</translation>
    </message>
    <message>
        <source>a JPEG 2000 image</source>
        <translation>ein JPEG-2000-Bild</translation>
    </message>
    <message>
        <source>a JPEG XL image</source>
        <translation>ein JPEG-XL-Bild</translation>
    </message>
    <message>
        <source>a Photoshop image</source>
        <translation>ein Photoshop-Bild</translation>
    </message>
    <message>
        <source>an icon</source>
        <translation>ein Icon</translation>
    </message>
    <message>
        <source>a PBM image</source>
        <translation>ein PBM-Bild</translation>
    </message>
    <message>
        <source>a PGM image</source>
        <translation>ein PGM-Bild</translation>
    </message>
    <message>
        <source>a PPM image</source>
        <translation>ein PPM-Bild</translation>
    </message>
    <message>
        <source>a QOI image</source>
        <translation>ein QOI-Bild</translation>
    </message>
    <message>
        <source>an OpenEXR image</source>
        <translation>ein OpenEXR-Bild</translation>
    </message>
    <message>
        <source>a FITS image</source>
        <translation>ein FITS-Bild</translation>
    </message>
    <message>
        <source>a DICOM image</source>
        <translation>ein DICOM-Bild</translation>
    </message>
    <message>
        <source>a web page</source>
        <translation>eine Webseite</translation>
    </message>
    <message>
        <source>an SVG drawing</source>
        <translation>eine SVG-Zeichnung</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>ein PDF-Dokument</translation>
    </message>
    <message>
        <source>a pointer of Git LFS</source>
        <translation>ein Zeiger von Git LFS</translation>
    </message>
    <message>
        <source>a zip archive</source>
        <translation>ein Zip-Archiv</translation>
    </message>
    <message>
        <source>compressed by gzip</source>
        <translation>mit gzip komprimiert</translation>
    </message>
    <message>
        <source>12 bits a sample are</source>
        <translation>12 Bit je Wert werden</translation>
    </message>
    <message>
        <source>16 bits a sample are</source>
        <translation>16 Bit je Wert werden</translation>
    </message>
    <message>
        <source>lossless JPEG is</source>
        <translation>verlustfreies JPEG wird</translation>
    </message>
    <message>
        <source>hierarchical JPEG is</source>
        <translation>hierarchisches JPEG wird</translation>
    </message>
    <message>
        <source>arithmetic-coded JPEG is</source>
        <translation>arithmetisch kodiertes JPEG wird</translation>
    </message>
    <message>
        <source>this JPEG&apos;s kind of colours is</source>
        <translation>die Farbart dieses JPEG wird</translation>
    </message>
    <message>
        <source>a BMP with this header is</source>
        <translation>ein BMP mit diesem Kopf wird</translation>
    </message>
    <message>
        <source>compressed BMP is</source>
        <translation>komprimiertes BMP wird</translation>
    </message>
    <message>
        <source>its header is of no BMP</source>
        <translation>sein Kopf ist nicht der eines BMP</translation>
    </message>
    <message>
        <source>{}: is {}, not a JPEG, PNG or BMP; convert it</source>
        <translation>{}: ist {}, kein JPEG, PNG oder BMP; wandeln Sie es um</translation>
    </message>
    <message>
        <source>{}: is {}, not an image; get the image itself</source>
        <translation>{}: ist {}, kein Bild; holen Sie das Bild selbst</translation>
    </message>
    <message>
        <source>{}: {} not supported; save it as a usual JPEG or PNG, 8 bits a sample</source>
        <translation>{}: {} nicht unterstützt; speichern Sie es als übliches JPEG oder PNG mit 8 Bit je Wert</translation>
    </message>
    <message>
        <source>{}: the image is damaged ({}); get it again</source>
        <translation>{}: das Bild ist beschädigt ({}); holen Sie es neu</translation>
    </message>
    <message>
        <source>{}: there is not enough memory to decode it; close other programs, or give fewer loader threads (input.threads)</source>
        <translation>{}: der Speicher reicht nicht, um es zu dekodieren; schließen Sie andere Programme, oder geben Sie weniger Lade-Threads (input.threads)</translation>
    </message>
    <message>
        <source>it has no pixels</source>
        <translation>es hat keine Pixel</translation>
    </message>
    <message>
        <source>{}: its header claims {} × {} pixels; an image may have {} a side and {} million in all, so make it smaller, or get it again</source>
        <translation>{}: sein Kopf nennt {} × {} Pixel; ein Bild darf {} je Seite und {} Millionen insgesamt haben: verkleinern Sie es, oder holen Sie es neu</translation>
    </message>
    <message>
        <source>more than %d scans</source>
        <translation>mehr als %d Durchläufe</translation>
    </message>
    <message>
        <source>its header does not match its checksum</source>
        <translation>sein Kopf passt nicht zu seiner Prüfsumme</translation>
    </message>
    <message>
        <source>{}: holds no images; give the folder with the data set (dataset.path)</source>
        <translation>{}: enthält keine Bilder; geben Sie den Ordner mit dem Datensatz an (dataset.path)</translation>
    </message>
    <message>
        <source>{}: all {} images can&apos;t be used, the first: {}</source>
        <translation>{}: alle {} Bilder sind nicht zu gebrauchen, das erste: {}</translation>
    </message>
    <message>
        <source>{}: the loading was cancelled</source>
        <translation>{}: das Laden wurde abgebrochen</translation>
    </message>
    <message>
        <source>{}: entry &apos;{}&apos; {}; nothing of this archive is used</source>
        <translation>{}: der Eintrag „{}“ {}; nichts aus diesem Archiv wird benutzt</translation>
    </message>
    <message>
        <source>has an absolute or empty path</source>
        <translation>hat einen absoluten oder leeren Pfad</translation>
    </message>
    <message>
        <source>leads out of the folder that is unpacked to</source>
        <translation>führt aus dem Ordner hinaus, in den entpackt wird</translation>
    </message>
    <message>
        <source>is neither a plain file nor a folder</source>
        <translation>ist weder eine gewöhnliche Datei noch ein Ordner</translation>
    </message>
    <message>
        <source>download cancelled; {} of {} bytes are kept in {}: run the same again to go on</source>
        <translation>Herunterladen abgebrochen; {} von {} Bytes bleiben in {}: ein neuer Versuch macht da weiter</translation>
    </message>
    <message>
        <source>{}: the SHA-256 of the download is {}, but should be {}; it was removed: run the same again to fetch it anew</source>
        <translation>{}: die SHA-256 des Heruntergeladenen ist {}, sollte aber {} sein; es wurde gelöscht: laden Sie es noch einmal herunter</translation>
    </message>
    <message>
        <source>{}: there is no folder &apos;{}&apos; in this archive; check the address</source>
        <translation>{}: in diesem Archiv ist kein Ordner „{}“; prüfen Sie die Adresse</translation>
    </message>
    <message>
        <source>{}: can&apos;t rename the unpacked folder to it ({})</source>
        <translation>{}: der entpackte Ordner lässt sich nicht so nennen ({})</translation>
    </message>
    <message>
        <source>{}: holds data that can&apos;t be used: move it away, then download ({})</source>
        <translation>{}: enthält unbrauchbare Daten: legen Sie sie beiseite, dann laden Sie neu herunter ({})</translation>
    </message>
    <message>
        <source>If-Range: </source>
        <translation>If-Range: </translation>
    </message>
    <message>
        <source>{}: the server answered {}, not with a file; check the address</source>
        <translation>{}: the server answered {}, not with a file; check the address</translation>
    </message>
    <message>
        <source>bytes {}-{}/</source>
        <translation>{}: der Server antwortete {} und nicht mit einer Datei; prüfen Sie die Adresse</translation>
    </message>
    <message>
        <source>{}: asked to go on after {} of {} bytes, the server offers &apos;{}&apos;: the file there is another one; delete {} to start anew</source>
        <translation>{}: nach {} von {} Bytes sollte es weitergehen, der Server bietet „{}“: die Datei dort ist eine andere; löschen Sie {}, um neu zu beginnen</translation>
    </message>
    <message>
        <source>{}: the server offers {} bytes, but the file should have {}: the server has another one; check the address</source>
        <translation>{}: der Server bietet {} Bytes, die Datei sollte {} haben: er hat eine andere; prüfen Sie die Adresse</translation>
    </message>
    <message>
        <source>{}: the server answered {}; check the address, or try again later</source>
        <translation>{}: der Server antwortete {}; prüfen Sie die Adresse, oder versuchen Sie es später</translation>
    </message>
    <message>
        <source>{}: {} after {} of {} bytes; run the same again to go on from there</source>
        <translation>{}: {} nach {} von {} Bytes; ein neuer Versuch macht da weiter</translation>
    </message>
    <message>
        <source>{}: the server ended after {} of {} bytes; run the same again to go on from there</source>
        <translation>{}: der Server hörte nach {} von {} Bytes auf; ein neuer Versuch macht da weiter</translation>
    </message>
    <message>
        <source>{}: another download is writing this file; wait for it or stop it</source>
        <translation>{}: ein anderes Herunterladen schreibt diese Datei; warten Sie darauf, oder beenden Sie es</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>{}: can&apos;t be unpacked, it is damaged or cut short ({}); get it again</source>
        <translation>{}: lässt sich nicht entpacken, es ist beschädigt oder abgeschnitten ({}); holen Sie es neu</translation>
    </message>
    <message>
        <source>{}: can&apos;t be read ({})</source>
        <translation>{}: ist nicht lesbar ({})</translation>
    </message>
    <message>
        <source>{}: can&apos;t make this folder ({})</source>
        <translation>{}: dieser Ordner lässt sich nicht anlegen ({})</translation>
    </message>
    <message>
        <source>{}: there is not enough memory to read its {} MiB; close other programs</source>
        <translation>{}: der Speicher reicht nicht, um seine {} MiB zu lesen; schließen Sie andere Programme</translation>
    </message>
    <message>
        <source>{}: can&apos;t be read{}</source>
        <translation>{}: ist nicht lesbar{}</translation>
    </message>
    <message>
        <source>{}: has {} MiB, an image at most {}; the file is damaged or not an image</source>
        <translation>{}: hat {} MiB, ein Bild höchstens {}; die Datei ist beschädigt oder kein Bild</translation>
    </message>
    <message>
        <source>{}: no folder or zip archive of this name exists; give the one with the data set (dataset.path)</source>
        <translation>{}: es gibt keinen Ordner und kein Zip-Archiv dieses Namens; geben Sie das mit dem Datensatz an (dataset.path)</translation>
    </message>
    <message>
        <source>{}: is neither a folder nor a zip archive; give the one with the data set (dataset.path)</source>
        <translation>{}: ist weder ein Ordner noch ein Zip-Archiv; geben Sie das mit dem Datensatz an (dataset.path)</translation>
    </message>
    <message>
        <source>{}: this file is there twice</source>
        <translation>{}: diese Datei ist zweimal da</translation>
    </message>
    <message>
        <source>the file ends within the record</source>
        <translation>die Datei endet mitten im Datensatz</translation>
    </message>
    <message>
        <source>its length does not match its checksum, so nothing behind it is found</source>
        <translation>seine Länge passt nicht zu ihrer Prüfsumme, so dass nichts dahinter zu finden ist</translation>
    </message>
    <message>
        <source>it is larger than any image</source>
        <translation>er ist größer als jedes Bild</translation>
    </message>
    <message>
        <source>its content does not match its checksum</source>
        <translation>sein Inhalt passt nicht zu seiner Prüfsumme</translation>
    </message>
    <message>
        <source>CIFAR-10: 60,000 photographs of ten kinds of things, 32 × 32, binary layout</source>
        <translation>CIFAR-10: 60.000 Fotos von zehn Arten von Dingen, 32 × 32, binäre Form</translation>
    </message>
    <message>
        <source>pictures of ten kinds of drawn shapes, 32 × 32, generated from the seed</source>
        <translation>Bilder von zehn Arten gezeichneter Formen, 32 × 32, aus dem Seed erzeugt</translation>
    </message>
    <message>
        <source>KolektorSDD: grey photographs of surfaces, some with marked defects, folder or zip</source>
        <translation>KolektorSDD: graue Fotos von Oberflächen, manche mit markierten Defekten, als Ordner oder Archiv</translation>
    </message>
    <message>
        <source>grey surfaces, half of them with a marked crack, 256 × 128, generated from the seed</source>
        <translation>graue Oberflächen, die Hälfte mit einem markierten Riss, 256 × 128, aus dem Seed erzeugt</translation>
    </message>
    <message>
        <source>photographs of any size in TFRecord files, as Inception&apos;s trainer reads ImageNet</source>
        <translation>Fotos jeder Größe in TFRecord-Dateien, wie Inceptions Trainer ImageNet liest</translation>
    </message>
    <message>
        <source>get it with &apos;lockstep-train download cifar10 --data DIR&apos;</source>
        <translation>holen Sie ihn mit „lockstep-train download cifar10 --data DIR“</translation>
    </message>
    <message>
        <source>get it from https://www.vicos.si/resources/kolektorsdd/ (for non-commercial use)</source>
        <translation>holen Sie ihn von https://www.vicos.si/resources/kolektorsdd/ (für nicht kommerzielle Zwecke)</translation>
    </message>
    <message>
        <source>its files are named by dataset.pattern</source>
        <translation>die Namen seiner Dateien stehen in dataset.pattern</translation>
    </message>
    <message>
        <source>unknown data set &apos;{}&apos;; choose one of: {}</source>
        <translation>den Datensatz „{}“ gibt es nicht; wählen Sie einen von: {}</translation>
    </message>
    <message>
        <source>data set &apos;{}&apos;: no folder is given (--data DIR or dataset.path); {}</source>
        <translation>Datensatz „{}“: kein Ordner ist angegeben (--data DIR oder dataset.path); {}</translation>
    </message>
    <message>
        <source>data set &apos;{}&apos;: no folder is given (--data DIR or dataset.path) and it is in none of {}; {}</source>
        <translation>Datensatz „{}“: kein Ordner ist angegeben (--data DIR oder dataset.path), und er liegt in keinem von {}; {}</translation>
    </message>
    <message>
        <source>{}: this file of CIFAR-10 is missing; get the data again with &apos;lockstep-train download cifar10 --data DIR&apos;</source>
        <translation>{}: diese Datei von CIFAR-10 fehlt; holen Sie die Daten noch einmal mit „lockstep-train download cifar10 --data DIR“</translation>
    </message>
    <message>
        <source>{}: is not a plain file</source>
        <translation>{}: ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>{}: has {} bytes, which is not a whole number of {}-byte CIFAR-10 records (such as {}); the file is truncated or not a CIFAR-10 file: get it again</source>
        <translation>{}: hat {} Bytes, was keine ganze Zahl von CIFAR-10-Einträgen zu {} Bytes ist (etwa {}); die Datei ist abgeschnitten oder nicht von CIFAR-10: holen Sie sie neu</translation>
    </message>
    <message>
        <source>{}: record {} (from 0) has label {}, but CIFAR-10 has labels 0 to {}; the file is damaged or holds other data: get it again</source>
        <translation>{}: Eintrag {} (ab 0) hat die Klasse {}, CIFAR-10 aber hat 0 bis {}; die Datei ist beschädigt oder enthält andere Daten: holen Sie sie neu</translation>
    </message>
    <message>
        <source>{}: this folder does not exist; give the one with the CIFAR-10 files, or get them with &apos;lockstep-train download cifar10 --data DIR&apos;</source>
        <translation>{}: diesen Ordner gibt es nicht; geben Sie den mit den Dateien von CIFAR-10 an, oder holen Sie sie mit „lockstep-train download cifar10 --data DIR“</translation>
    </message>
    <message>
        <source>dataset.dilation is {}, but must be one of {}</source>
        <translation>dataset.dilation ist {}, muss aber eines von {} sein</translation>
    </message>
    <message>
        <source>{} and {} more</source>
        <translation>{} und {} weitere</translation>
    </message>
    <message>
        <source>{}: lacks a folder for {}; {} and {} need folders for the same classes</source>
        <translation>{}: ohne Ordner für {}; {} und {} brauchen Ordner für dieselben Klassen</translation>
    </message>
    <message>
        <source>{}: item &apos;{}&apos; is also in {}; give each item a name of its own</source>
        <translation>{}: das Stück „{}“ ist auch in {}; geben Sie jedem Stück einen eigenen Namen</translation>
    </message>
    <message>
        <source>{}: there is also {}; remove one of the two</source>
        <translation>{}: es gibt auch {}; entfernen Sie eines von beiden</translation>
    </message>
    <message>
        <source>{}: there is no image for this label ({}.jpg beside it)</source>
        <translation>{}: zu diesem Label gibt es kein Bild ({}.jpg daneben)</translation>
    </message>
    <message>
        <source>is not a tf.train.Example</source>
        <translation>ist kein tf.train.Example</translation>
    </message>
    <message>
        <source>{}: {}; make the file anew</source>
        <translation>{}: {}; erzeugen Sie die Datei neu</translation>
    </message>
    <message>
        <source>feature {} has another type than expected ({}, not {})</source>
        <translation>das Merkmal {} hat einen anderen Typ als erwartet ({}, nicht {})</translation>
    </message>
    <message>
        <source>image/object/bbox has {} ymin, {} xmin, {} ymax and {} xmax</source>
        <translation>image/object/bbox hat {} ymin, {} xmin, {} ymax und {} xmax</translation>
    </message>
    <message>
        <source>has no {} ({}) among its features ({})</source>
        <translation>hat kein {} ({}) unter seinen Merkmalen ({})</translation>
    </message>
    <message>
        <source>has {} {}s ({}), but one is read</source>
        <translation>hat {}-mal {} ({}), gelesen wird aber eines</translation>
    </message>
    <message>
        <source>{}, line {}: &apos;{}&apos; is not an item and its fold, such as &apos;kos01 0&apos;</source>
        <translation>{}, Zeile {}: „{}“ ist nicht ein Stück und sein Teil, wie in „kos01 0“</translation>
    </message>
    <message>
        <source>{}, line {}: fold {} of item &apos;{}&apos;, but the folds are 0 to {}</source>
        <translation>{}, Zeile {}: Teil {} für das Stück „{}“, aber die Teile sind 0 bis {}</translation>
    </message>
    <message>
        <source>{}, line {}: item &apos;{}&apos; is in fold {}, and in fold {} by line {}; all images of an item belong in one fold</source>
        <translation>{}, Zeile {}: das Stück „{}“ ist in Teil {}, und in Teil {} laut Zeile {}; alle Bilder eines Stücks gehören in einen Teil</translation>
    </message>
    <message>
        <source>{}: item &apos;{}&apos; has no fold; add a line &apos;{} 0&apos;</source>
        <translation>{}: das Stück „{}“ ist in keinem Teil; ergänzen Sie eine Zeile „{} 0“</translation>
    </message>
    <message>
        <source>{} items can&apos;t be dealt to {} folds; {}</source>
        <translation>{} Stücke lassen sich nicht auf {} Teile verteilen; {}</translation>
    </message>
    <message>
        <source>at least 2 are needed, one to train and one to test on</source>
        <translation>mindestens 2 sind nötig, eines zum Trainieren und eines zum Testen</translation>
    </message>
    <message>
        <source>set dataset.folds to at most the number of items</source>
        <translation>setzen Sie dataset.folds höchstens auf die Zahl der Stücke</translation>
    </message>
    <message>
        <source>give others in {} (dataset.folds_file)</source>
        <translation>geben Sie andere in {} an (dataset.folds_file)</translation>
    </message>
    <message>
        <source>set dataset.folds = {}</source>
        <translation>setzen Sie dataset.folds = {}</translation>
    </message>
    <message>
        <source>no number of folds gives each of them both; say which are to be theirs (dataset.folds_file)</source>
        <translation>keine Zahl von Teilen gibt jedem von ihnen beides; sagen Sie, welche ihre sein sollen (dataset.folds_file)</translation>
    </message>
    <message>
        <source>only one of {} items has {}, and at least 2 are needed, one to train and one to test on; dataset.fold = -1 trains and tests on all</source>
        <translation>nur eines von {} Stücken hat {}, und mindestens 2 sind nötig, eines zum Trainieren und eines zum Testen; dataset.fold = -1 trainiert und testet mit allen</translation>
    </message>
    <message>
        <source>a defective image</source>
        <translation>ein fehlerhaftes Bild</translation>
    </message>
    <message>
        <source>a clean image</source>
        <translation>ein fehlerfreies Bild</translation>
    </message>
    <message>
        <source>put some in the folder of this split, or all in one without train and test</source>
        <translation>legen Sie welche in den Ordner dieses Teils, oder alle in einen ohne train und test</translation>
    </message>
    <message>
        <source>add images without a defect, with an empty mask</source>
        <translation>fügen Sie Bilder ohne Fehler hinzu, mit einer leeren Maske</translation>
    </message>
    <message>
        <source>the brightest value of a mask is {}, below dataset.mask_threshold = {}</source>
        <translation>der hellste Wert einer Maske ist {}, unter dataset.mask_threshold = {}</translation>
    </message>
    <message>
        <source>no mask differs anywhere from its background (transparency does not count)</source>
        <translation>keine Maske unterscheidet sich irgendwo von ihrem Hintergrund (Transparenz zählt nicht)</translation>
    </message>
    <message>
        <source>not all of the {} folds have both defective and clean images; with dataset.folds = {} all have</source>
        <translation>nicht alle der {} Teile haben fehlerhafte und fehlerfreie Bilder; mit dataset.folds = {} haben alle</translation>
    </message>
    <message>
        <source>{}: {} of {} images are defective, and both defective and clean ones are needed: {}</source>
        <translation>{}: {} von {} Bildern sind fehlerhaft, und fehlerhafte wie fehlerfreie sind nötig: {}</translation>
    </message>
    <message>
        <source>data set {}, {} split of fold {}: {} images, of which {} are defective; it needs both defective and clean ones: {}</source>
        <translation>Datensatz {}, {} von Teil {}: {} Bilder, davon {} fehlerhaft; er braucht fehlerhafte und fehlerfreie: {}</translation>
    </message>
    <message>
        <source>{}: is turned to {} × {} pixels (height × width) as its camera noted (EXIF), but its label {} has {} × {}, as it is stored; set dataset.orientation = stored if all labels are so, or turn the label</source>
        <translation>{}: ist auf {} × {} Pixel (Höhe × Breite) gedreht, wie seine Kamera es vermerkt hat (EXIF), sein Label {} aber hat {} × {}, wie es gespeichert ist; setzen Sie dataset.orientation = stored, wenn alle Labels so sind, oder drehen Sie das Label</translation>
    </message>
    <message>
        <source>{}: the label has {} × {} pixels (height × width), its image {} × {}; they must have the same size</source>
        <translation>{}: das Label hat {} × {} Pixel (Höhe × Breite), sein Bild {} × {}; beide müssen gleich groß sein</translation>
    </message>
    <message>
        <source>dataset.folds is {}, but must be between 2 and {}</source>
        <translation>dataset.folds ist {}, muss aber zwischen 2 und {} liegen</translation>
    </message>
    <message>
        <source>dataset.mask_threshold is {}, but must be between 1 and {}</source>
        <translation>dataset.mask_threshold ist {}, muss aber zwischen 1 und {} liegen</translation>
    </message>
    <message>
        <source>dataset.bits is {}, but must be 0 or between {} and {}</source>
        <translation>dataset.bits ist {}, muss aber 0 sein oder zwischen {} und {} liegen</translation>
    </message>
    <message>
        <source>if they are inverted, dark marks on white, set dataset.mask_background = white</source>
        <translation>wenn sie invertiert sind, dunkle Marken auf Weiß, setzen Sie dataset.mask_background = white</translation>
    </message>
    <message>
        <source>if the {} of most pixels is the background, set dataset.mask_threshold = {}</source>
        <translation>wenn die {} der meisten Pixel der Hintergrund ist, setzen Sie dataset.mask_threshold = {}</translation>
    </message>
    <message>
        <source>if a colour is the background, save the masks with a black or a white one</source>
        <translation>wenn eine Farbe der Hintergrund ist, speichern Sie die Masken mit einem schwarzen oder weißen</translation>
    </message>
    <message>
        <source>{}: most of the image and of its border is marked, as in {} of {} masks that mark anything; {}; if it is right, set dataset.mask_background = black</source>
        <translation>{}: das meiste des Bildes und seines Randes ist markiert, wie in {} von {} Masken, die etwas markieren; {}; wenn es stimmt, setzen Sie dataset.mask_background = black</translation>
    </message>
    <message>
        <source>{} of {} masks that mark anything mark most of their image and its border, such as {}: are they inverted?</source>
        <translation>{} von {} Masken, die etwas markieren, markieren das meiste ihres Bildes und seines Randes, etwa {}: sind sie invertiert?</translation>
    </message>
    <message>
        <source>{} masks are read by the indices of their palette, of which 0 is the background, as its colours do not tell, such as {}</source>
        <translation>{} Masken werden nach den Nummern ihrer Palette gelesen, von denen 0 der Hintergrund ist, da ihre Farben nichts sagen, etwa {}</translation>
    </message>
    <message>
        <source>{:.0f} % of the marked pixels are nearly black, as compression to JPEG leaves them beside marks; dataset.mask_threshold = {} marks the bright ones alone</source>
        <translation>{:.0f} % der markierten Pixel sind fast schwarz, wie die Komprimierung zu JPEG sie neben Marken hinterlässt; dataset.mask_threshold = {} markiert nur die hellen</translation>
    </message>
    <message>
        <source>{} masks have soft edges, such as {} ({} shades in all), and any value above 0 is marked; dataset.mask_threshold = {} marks what is bright</source>
        <translation>{} Masken haben weiche Kanten, etwa {} ({} Graustufen in allen), und jeder Wert über 0 ist markiert; dataset.mask_threshold = {} markiert, was hell ist</translation>
    </message>
    <message>
        <source>dataset.fold is {}, but must be between 0 and {} (dataset.folds is {}), or -1 for all images in training and test</source>
        <translation>dataset.fold ist {}, muss aber zwischen 0 und {} liegen (dataset.folds ist {}), oder -1 für alle Bilder in Training und Test</translation>
    </message>
    <message>
        <source>synthetic data set: {} examples asked for; ask for 1 to {}</source>
        <translation>Datensatz synthetic: {} Beispiele verlangt; verlangen Sie 1 bis {}</translation>
    </message>
    <message>
        <source>synthetic data set: pictures can&apos;t be {} times as large</source>
        <translation>Datensatz synthetic: Bilder können nicht {}-mal so groß sein</translation>
    </message>
    <message>
        <source>synthetic_defects data set: {} examples asked for; ask for 2 to {}</source>
        <translation>Datensatz synthetic_defects: {} Beispiele verlangt; verlangen Sie 2 bis {}</translation>
    </message>
    <message>
        <source>{}: this folder does not exist; give the one with the record files (dataset.path)</source>
        <translation>{}: diesen Ordner gibt es nicht; geben Sie den mit den TFRecord-Dateien an (dataset.path)</translation>
    </message>
    <message>
        <source>{}: no record file&apos;s name says {}{}; give the folder (dataset.path) and the names of its record files (dataset.pattern, such as &apos;{}-*&apos;)</source>
        <translation>{}: kein Name einer TFRecord-Datei sagt {}{}; geben Sie den Ordner (dataset.path) und die Namen seiner TFRecord-Dateien an (dataset.pattern, etwa „{}-*“)</translation>
    </message>
    <message>
        <source>{}: archives of this kind are not read; unpack it, and give the folder (dataset.path)</source>
        <translation>{}: Archive dieser Art werden nicht gelesen; entpacken Sie es, und geben Sie den Ordner an (dataset.path)</translation>
    </message>
    <message>
        <source>all files of records that &apos;{}&apos; names are trained on and tested on</source>
        <translation>auf allen TFRecord-Dateien, die „{}“ nennt, wird trainiert und getestet</translation>
    </message>
    <message>
        <source>files of records; {} is tested on</source>
        <translation>TFRecord-Dateien; getestet wird auf {}</translation>
    </message>
    <message>
        <source>validation, val or test</source>
        <translation>validation, val oder test</translation>
    </message>
    <message>
        <source>without a byte</source>
        <translation>ohne ein Byte</translation>
    </message>
    <message>
        <source>of records that dataset.pattern does not name</source>
        <translation>TFRecord-Dateien, die dataset.pattern nicht nennt</translation>
    </message>
    <message>
        <source>that can&apos;t be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>: some may be cut short</source>
        <translation>: einige sind vielleicht abgeschnitten</translation>
    </message>
    <message>
        <source>unpack {} first, and </source>
        <translation>entpacken Sie zuerst {}, und </translation>
    </message>
    <message>
        <source>give {} (dataset.path), or </source>
        <translation>geben Sie {} an (dataset.path), oder </translation>
    </message>
    <message>
        <source>; {} labels have several names</source>
        <translation>; {} Klassen haben mehrere Namen</translation>
    </message>
    <message>
        <source>label {} is &apos;{}&apos; in {} records, but &apos;{}&apos; in {} ({})</source>
        <translation>Klasse {} heißt „{}“ in {} Einträgen, aber „{}“ in {} ({})</translation>
    </message>
    <message>
        <source>{}: the numbers count{}</source>
        <translation>{}: es zählen die Nummern{}</translation>
    </message>
    <message>
        <source>the {} files are named in {} ways, such as {} and {}: if these hold the same images, name one kind alone (dataset.pattern)</source>
        <translation>die Dateien von {} sind auf {} Arten benannt, etwa {} und {}: falls sie dieselben Bilder enthalten, nennen Sie nur eine Art (dataset.pattern)</translation>
    </message>
    <message>
        <source>{} of the {} files {} are missing: number {}{}</source>
        <translation>{} der {} Dateien {} fehlen: Nummer {}{}</translation>
    </message>
    <message>
        <source>{}: the files of two conversions lie side by side, {} and {}, which would train twice on each example; move one of them into another folder, or name the other&apos;s files alone (dataset.pattern)</source>
        <translation>{}: die Dateien zweier Umwandlungen liegen nebeneinander, {} und {}; jedes Beispiel würde doppelt trainiert; verschieben Sie die einen in einen anderen Ordner, oder nennen Sie nur die anderen (dataset.pattern)</translation>
    </message>
    <message>
        <source>{}: the names of its files begin with &apos;{}&apos; and with &apos;{}&apos;; say which are meant (dataset.pattern, such as &apos;{}{}*&apos;)</source>
        <translation>{}: die Namen der Dateien beginnen mit „{}“ und mit „{}“; sagen Sie, welche gemeint sind (dataset.pattern, etwa „{}{}*“)</translation>
    </message>
    <message>
        <source>{}: both {} and {} are there; move those that are not meant into another folder, or name the others alone (dataset.pattern)</source>
        <translation>{}: {} und {} sind beide da; verschieben Sie, was nicht gemeint ist, in einen anderen Ordner, oder nennen Sie nur das andere (dataset.pattern)</translation>
    </message>
    <message>
        <source>{}: is compressed ({}); unpack it ({}), or write the records without compression</source>
        <translation>{}: ist komprimiert ({}); entpacken Sie sie ({}), oder schreiben Sie die Datei ohne Kompression</translation>
    </message>
    <message>
        <source>{}: its name says {} and {}; say where the split stands in the names (dataset.pattern, such as &apos;{}-*&apos;)</source>
        <translation>{}: sein Name sagt {} und {}; sagen Sie, wo in den Namen der Teil steht (dataset.pattern, etwa „{}-*“)</translation>
    </message>
    <message>
        <source>{}: no record file&apos;s name fits &apos;{}&apos; with {}{}; give the folder (dataset.path) and the names of its record files (dataset.pattern, such as &apos;{}-*&apos;)</source>
        <translation>{}: kein Name einer TFRecord-Datei passt zu „{}“ mit {}{}; geben Sie den Ordner (dataset.path) und die Namen seiner TFRecord-Dateien an (dataset.pattern, etwa „{}-*“)</translation>
    </message>
    <message>
        <source>{}, record {}</source>
        <translation>{}, Eintrag {}</translation>
    </message>
    <message>
        <source>{}: is damaged: {}; get the file again</source>
        <translation>{}: ist beschädigt: {}; holen Sie die Datei neu</translation>
    </message>
    <message>
        <source>{}: its label is {}, which with dataset.label_offset {} is not from 0 to {}; choose another offset</source>
        <translation>{}: die Klasse ist {}, was mit dataset.label_offset {} nicht von 0 bis {} liegt; wählen Sie einen anderen Versatz</translation>
    </message>
    <message>
        <source>{}: does not match its checksum any more; the file was changed, or the disk fails</source>
        <translation>{}: passt nicht mehr zu seiner Prüfsumme; die Datei wurde geändert, oder die Platte ist defekt</translation>
    </message>
    <message>
        <source># The fastest algorithms that Lockstep has measured: machine, work, algorithm, milliseconds. To forget them: lockstep-train devices --forget-algorithms
</source>
        <translation># The fastest algorithms that Lockstep has measured: machine, work, algorithm, milliseconds. To forget them: lockstep-train devices --forget-algorithms
</translation>
    </message>
    <message>
        <source>{}: can&apos;t be locked: {}</source>
        <translation>{}: lässt sich nicht sperren: {}</translation>
    </message>
    <message>
        <source>{}: can&apos;t be removed: {}</source>
        <translation>{}: lässt sich nicht löschen: {}</translation>
    </message>
    <message>
        <source>{}, line {}: not a choice of an algorithm; it is measured anew</source>
        <translation>{}, Zeile {}: keine Wahl eines Algorithmus; er wird neu gemessen</translation>
    </message>
    <message>
        <source>the choices of algorithms are not kept: {}</source>
        <translation>die Wahl der Algorithmen wird nicht behalten: {}</translation>
    </message>
    <message>
        <source>model name</source>
        <translation>model name</translation>
    </message>
    <message>
        <source>oneDNN </source>
        <translation>oneDNN </translation>
    </message>
    <message>
        <source>it is a format of NVIDIA&apos;s matrix units</source>
        <translation>es ist ein Format von NVIDIAs Matrixeinheiten</translation>
    </message>
    <message>
        <source>cpu: {} MiB of memory were asked for, but are not available</source>
        <translation>cpu: {} MiB Speicher wurden verlangt, sind aber nicht frei</translation>
    </message>
    <message>
        <source>could not execute a primitive</source>
        <translation>eine Grundrechnung wurde nicht ausgeführt</translation>
    </message>
    <message>
        <source>{}, {} processors; {}</source>
        <translation>{}, {} Prozessoren; {}</translation>
    </message>
    <message>
        <source>waiting for the GPU</source>
        <translation>beim Warten auf die GPU</translation>
    </message>
    <message>
        <source>{}: {} MiB of memory were asked for, {} MiB of {} MiB are free; use a smaller batch, fewer towers or another device</source>
        <translation>{}: {} MiB Speicher wurden verlangt, {} MiB von {} MiB sind frei; nehmen Sie einen kleineren Batch, weniger Tower oder ein anderes Gerät</translation>
    </message>
    <message>
        <source>allocating memory</source>
        <translation>beim Reservieren von Speicher</translation>
    </message>
    <message>
        <source>clearing memory</source>
        <translation>beim Löschen von Speicher</translation>
    </message>
    <message>
        <source>allocating memory of the host for the GPU</source>
        <translation>beim Reservieren von Speicher des Rechners für die GPU</translation>
    </message>
    <message>
        <source>copying to the GPU</source>
        <translation>beim Kopieren zur GPU</translation>
    </message>
    <message>
        <source>copying from the GPU</source>
        <translation>beim Kopieren von der GPU</translation>
    </message>
    <message>
        <source>cuda: {}: {} ({})</source>
        <translation>cuda: {}: {} ({})</translation>
    </message>
    <message>
        <source>choosing the GPU</source>
        <translation>beim Wählen der GPU</translation>
    </message>
    <message>
        <source>making an event</source>
        <translation>beim Anlegen eines Ereignisses</translation>
    </message>
    <message>
        <source>making the graph of the step</source>
        <translation>beim Anlegen des Graphen des Schritts</translation>
    </message>
    <message>
        <source>launching the graph of the step</source>
        <translation>beim Starten des Graphen des Schritts</translation>
    </message>
    <message>
        <source>making a stream</source>
        <translation>beim Anlegen eines Stroms</translation>
    </message>
    <message>
        <source>recording an event</source>
        <translation>beim Aufzeichnen eines Ereignisses</translation>
    </message>
    <message>
        <source>ordering streams</source>
        <translation>beim Ordnen der Ströme</translation>
    </message>
    <message>
        <source>beginning to capture the step</source>
        <translation>am Beginn des Aufzeichnens des Schritts</translation>
    </message>
    <message>
        <source>capturing the step</source>
        <translation>beim Aufzeichnen des Schritts</translation>
    </message>
    <message>
        <source>asking for the driver&apos;s version</source>
        <translation>bei der Frage nach der Version des Treibers</translation>
    </message>
    <message>
        <source>asking for CUDA&apos;s version</source>
        <translation>bei der Frage nach der Version von CUDA</translation>
    </message>
    <message>
        <source>no NVIDIA driver was found</source>
        <translation>kein NVIDIA-Treiber gefunden</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old: it supports CUDA {}, and this version needs {}.0 or later; install driver 580 or later, from NVIDIA where the system&apos;s own is older</source>
        <translation>der NVIDIA-Treiber ist zu alt: er kann CUDA {}, und diese Version braucht {}.0 oder neuer; installieren Sie Treiber 580 oder neuer, von NVIDIA, wo der des Systems älter ist</translation>
    </message>
    <message>
        <source>looking for GPUs</source>
        <translation>bei der Suche nach GPUs</translation>
    </message>
    <message>
        <source>asking GPU {} what it is</source>
        <translation>bei der Frage, was GPU {} ist</translation>
    </message>
    <message>
        <source>one program may use it at a time (its compute mode), and now process {} does{}</source>
        <translation>nur ein Programm auf einmal darf sie benutzen (ihr Rechenmodus), und jetzt tut es Prozess {}{}</translation>
    </message>
    <message>
        <source>its compute capability is {}.{}, and CUDA 13 needs 7.5 or later</source>
        <translation>ihre Compute Capability ist {}.{}, und CUDA 13 braucht 7.5 oder mehr</translation>
    </message>
    <message>
        <source>its compute mode forbids programs to use it; an administrator can allow it with nvidia-smi -i {} -c DEFAULT</source>
        <translation>ihr Rechenmodus verbietet Programmen, sie zu benutzen; ein Administrator kann es erlauben mit nvidia-smi -i {} -c DEFAULT</translation>
    </message>
    <message>
        <source>{}, compute {}.{}</source>
        <translation>{}, compute {}.{}</translation>
    </message>
    <message>
        <source>cuDNN does not start: {}</source>
        <translation>cuDNN startet nicht: {}</translation>
    </message>
    <message>
        <source>cuBLASLt does not start: {}</source>
        <translation>cuBLASLt startet nicht: {}</translation>
    </message>
    <message>
        <source>CUDA {}.{}, cuDNN {}, cuBLAS {}, NCCL {}</source>
        <translation>CUDA {}.{}, cuDNN {}, cuBLAS {}, NCCL {}</translation>
    </message>
    <message>
        <source>power limit</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>too hot</source>
        <translation>zu heiß</translation>
    </message>
    <message>
        <source>power supply</source>
        <translation>Stromversorgung</translation>
    </message>
    <message>
        <source>slowed by the hardware</source>
        <translation>von der Hardware gebremst</translation>
    </message>
    <message>
        <source>clock setting</source>
        <translation>Takteinstellung</translation>
    </message>
    <message>
        <source>clocks tied to other GPUs</source>
        <translation>Takt an andere GPUs gebunden</translation>
    </message>
    <message>
        <source>run &quot;app/run.sh devices&quot; in Lockstep&apos;s source folder, which fetches what is missing and builds it</source>
        <translation>führen Sie &quot;app/run.sh devices&quot; im Quellordner von Lockstep aus; das holt, was fehlt, und baut es</translation>
    </message>
    <message>
        <source>cuDNN 9 is not installed</source>
        <translation>cuDNN 9 ist nicht installiert</translation>
    </message>
    <message>
        <source>NCCL 2 is not installed</source>
        <translation>NCCL 2 ist nicht installiert</translation>
    </message>
    <message>
        <source>cuBLAS of CUDA 13 is not installed</source>
        <translation>cuBLAS von CUDA 13 ist nicht installiert</translation>
    </message>
    <message>
        <source>{} can&apos;t be opened ({})</source>
        <translation>{} lässt sich nicht öffnen ({})</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Verzeichnis nicht gefunden</translation>
    </message>
    <message>
        <source>the NVIDIA driver can&apos;t be opened ({})</source>
        <translation>der NVIDIA-Treiber lässt sich nicht öffnen ({})</translation>
    </message>
    <message>
        <source>{} is of another version of Lockstep: {}</source>
        <translation>{} ist von einer anderen Version von Lockstep: {}</translation>
    </message>
    <message>
        <source>Package id</source>
        <translation>Package id</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>ohne Kopie</translation>
    </message>
    <message>
        <source>{}, {} of {} in place</source>
        <translation>{}, {} von {} ohne Kopie</translation>
    </message>
    <message>
        <source>own kernel</source>
        <translation>eigener Kernel</translation>
    </message>
    <message>
        <source>precision &apos;{}&apos; is not known; choose one of: float32, tf32, bfloat16</source>
        <translation>die Präzision „{}“ gibt es nicht; wählen Sie eine von: float32, tf32, bfloat16</translation>
    </message>
    <message>
        <source>the NVIDIA driver sees no GPU</source>
        <translation>der NVIDIA-Treiber sieht keine GPU</translation>
    </message>
    <message>
        <source>device &apos;{}&apos;: there is no GPU {}{}; this machine has {} (0 to {}): choose others (--device)</source>
        <translation>Gerät „{}“: es gibt keine GPU {}{}; dieser Rechner hat {} (0 bis {}): wählen Sie andere (--device)</translation>
    </message>
    <message>
        <source> ({} when the run began)</source>
        <translation> ({}, als der Lauf begann)</translation>
    </message>
    <message>
        <source>device &apos;{}&apos;: GPU {} can&apos;t be used: {}</source>
        <translation>Gerät „{}“: GPU {} ist nicht nutzbar: {}</translation>
    </message>
    <message>
        <source>{} was {} when the run began; </source>
        <translation>{} war {}, als der Lauf begann; </translation>
    </message>
    <message>
        <source>device &apos;{}&apos;: {}; {}use --device cpu or auto</source>
        <translation>Gerät „{}“: {}; {}nehmen Sie --device cpu oder auto</translation>
    </message>
    <message>
        <source>device &apos;{}&apos; is not known; choose auto, cpu, cuda or cuda:I[,J] with the numbers of GPUs</source>
        <translation>das Gerät „{}“ gibt es nicht; wählen Sie auto, cpu, cuda oder cuda:I[,J] mit den Nummern von GPUs</translation>
    </message>
    <message>
        <source>towers is {}: give at least 1</source>
        <translation>towers ist {}: geben Sie mindestens 1 an</translation>
    </message>
    <message>
        <source>{} {} × {} is too large to count: give smaller numbers</source>
        <translation>{} {} × {} ist zu groß, um es zu zählen: geben Sie kleinere Zahlen an</translation>
    </message>
    <message>
        <source>the batch per tower is {}: give at least 1</source>
        <translation>der Batch pro Tower ist {}: geben Sie mindestens 1 an</translation>
    </message>
    <message>
        <source>steps is {}: give 0 or more</source>
        <translation>steps ist {}: geben Sie 0 oder mehr an</translation>
    </message>
    <message>
        <source>the data set has no examples: choose one that has some</source>
        <translation>der Datensatz hat keine Beispiele: wählen Sie einen, der welche hat</translation>
    </message>
    <message>
        <source>towers × batch per tower =</source>
        <translation>Tower × Batch pro Tower =</translation>
    </message>
    <message>
        <source>steps × global batch =</source>
        <translation>Schritte × globaler Batch =</translation>
    </message>
    <message>
        <source>the global batch is {}: give at least {}, one example a tower</source>
        <translation>der globale Batch ist {}: geben Sie mindestens {} an, ein Beispiel pro Tower</translation>
    </message>
    <message>
        <source>a global batch of {} can&apos;t be split evenly over {} towers: use {}</source>
        <translation>ein globaler Batch von {} lässt sich nicht gleichmäßig auf {} Tower verteilen: nehmen Sie {}</translation>
    </message>
    <message>
        <source>a global batch of {} can&apos;t be split evenly over {} towers: use {} or {}</source>
        <translation>ein globaler Batch von {} lässt sich nicht gleichmäßig auf {} Tower verteilen: nehmen Sie {} oder {}</translation>
    </message>
    <message>
        <source>example {} of {} ({}) has {} bytes, not the {} of an image of {}: repair the data set</source>
        <translation>Beispiel {} von {} ({}) hat {} Bytes, nicht die {} eines Bildes von {}: reparieren Sie den Datensatz</translation>
    </message>
    <message>
        <source>the input was stopped: no more batches come</source>
        <translation>die Eingabe wurde angehalten: es kommen keine Batches mehr</translation>
    </message>
    <message>
        <source>the brightness delta is {}: give a number of 0 or more</source>
        <translation>die Abweichung der Helligkeit ist {}: geben Sie 0 oder mehr an</translation>
    </message>
    <message>
        <source>the contrast range is {} to {}: give two numbers of 0 or more, the lower one first</source>
        <translation>der Bereich des Kontrasts ist {} bis {}: geben Sie zwei Zahlen von 0 oder mehr an, die kleinere zuerst</translation>
    </message>
    <message>
        <source>images can&apos;t be resized to {} × {} (height × width)</source>
        <translation>Bilder lassen sich nicht auf {} × {} (Höhe × Breite) bringen</translation>
    </message>
    <message>
        <source>a crop of {} × {} (height × width) can&apos;t be cut from images of {} × {}: give at least 1 × 1 and at most the size of the image</source>
        <translation>ein Ausschnitt von {} × {} (Höhe × Breite) passt nicht in Bilder von {} × {}: mindestens 1 × 1 und höchstens die Größe des Bildes</translation>
    </message>
    <message>
        <source>the input needs {} MiB for {} batches of {} examples and can&apos;t have them: make the batch smaller or prefetch fewer batches</source>
        <translation>die Eingabe braucht {} MiB für {} Batches zu {} Beispielen und bekommt sie nicht: machen Sie den Batch kleiner, oder halten Sie weniger Batches bereit</translation>
    </message>
    <message>
        <source>the system refuses to run {} loader threads ({}): give fewer (input.threads)</source>
        <translation>das System erlaubt {} Lade-Threads nicht ({}): geben Sie weniger an (input.threads)</translation>
    </message>
    <message>
        <source>a network that reads {} × {} pixels (height × width) can&apos;t be given masks: both have to be multiples of {}</source>
        <translation>einem Netz, das {} × {} Pixel (Höhe × Breite) liest, lassen sich keine Masken geben: beides muss ein Vielfaches von {} sein</translation>
    </message>
    <message>
        <source>images with masks are grey, but the network reads {} channels and data set &apos;{}&apos; has {}</source>
        <translation>Bilder mit Masken sind grau, aber das Netz liest {} Kanäle, und der Datensatz „{}“ hat {}</translation>
    </message>
    <message>
        <source>the global batch is {}, which can&apos;t be halved into clean and defective examples: set batch_per_tower (or global_batch, or towers) so that it is even or 1, or dataset.sampling to shuffled</source>
        <translation>der globale Batch ist {} und lässt sich nicht je zur Hälfte aus fehlerfreien und fehlerhaften Beispielen bilden: setzen Sie batch_per_tower (oder global_batch, oder towers) so, dass er gerade oder 1 ist, oder dataset.sampling auf shuffled</translation>
    </message>
    <message>
        <source>dataset.sampling is balanced, which needs two classes, but {} has {}: set it to shuffled</source>
        <translation>dataset.sampling ist balanced, was zwei Klassen braucht, aber {} hat {}: setzen Sie es auf shuffled</translation>
    </message>
    <message>
        <source>dataset.sampling is balanced, but {} ({}) has no example of class &apos;{}&apos;: choose another dataset.fold, or set it to shuffled</source>
        <translation>dataset.sampling ist balanced, aber {} ({}) hat kein Beispiel der Klasse „{}“: wählen Sie einen anderen Wert für dataset.fold, oder setzen Sie es auf shuffled</translation>
    </message>
    <message>
        <source>the data set has {} examples: it needs at least 1 and at most {}</source>
        <translation>der Datensatz hat {} Beispiele: er braucht mindestens 1 und höchstens {}</translation>
    </message>
    <message>
        <source>experiment.shards is &apos;{}&apos;, but must be distinct, same, skewed or poisoned</source>
        <translation>experiment.shards ist „{}“, muss aber distinct, same, skewed oder poisoned sein</translation>
    </message>
    <message>
        <source>experiment.class is {}, but {} has the classes 0 to {}</source>
        <translation>experiment.class ist {}, aber {} hat die Klassen 0 bis {}</translation>
    </message>
    <message>
        <source>experiment.shards is poisoned, but {} has no classes</source>
        <translation>experiment.shards ist poisoned, aber {} hat keine Klassen</translation>
    </message>
    <message>
        <source>data set &apos;{}&apos; has images of {} channels, but the network reads {}</source>
        <translation>der Datensatz „{}“ hat Bilder mit {} Kanälen, aber das Netz liest {}</translation>
    </message>
    <message>
        <source>{} is {}: give a number from 1 to {}</source>
        <translation>{} ist {}: geben Sie eine Zahl von 1 bis {} an</translation>
    </message>
    <message>
        <source>the global batch</source>
        <translation>der globale Batch</translation>
    </message>
    <message>
        <source>the number of loader threads (input.threads)</source>
        <translation>die Zahl der Lade-Threads (input.threads)</translation>
    </message>
    <message>
        <source>the number of batches to prefetch</source>
        <translation>die Zahl der Batches, die bereitstehen</translation>
    </message>
    <message>
        <source>the input can&apos;t start at example {}: give 0 or more</source>
        <translation>die Eingabe kann nicht bei Beispiel {} beginnen: geben Sie 0 oder mehr an</translation>
    </message>
    <message>
        <source>{} ({}) has no examples: choose a data set that has some</source>
        <translation>{} ({}) hat keine Beispiele: wählen Sie einen Datensatz, der welche hat</translation>
    </message>
    <message>
        <source>experiment.class is {}, but {} has no examples of it</source>
        <translation>experiment.class ist {}, aber {} hat keine Beispiele davon</translation>
    </message>
    <message>
        <source>none of the {} examples is positive: precision and recall need some that are</source>
        <translation>keines der {} Beispiele ist positiv: Präzision und Trefferquote brauchen welche, die es sind</translation>
    </message>
    <message>
        <source>a score is not a number</source>
        <translation>ein Wert ist keine Zahl</translation>
    </message>
    <message>
        <source>AP = sum over thresholds of (R_n - R_(n-1)) * P_n, step-wise, without interpolation; examples of one score count together</source>
        <translation>AP = Summe über die Schwellen von (R_n - R_(n-1)) * P_n, stufenweise, ohne Interpolation; Beispiele mit gleichem Wert zählen zusammen</translation>
    </message>
    <message>
        <source>the sum of the losses has not fallen for {} steps ({:.4g}, change {:+.2g} ± {:.1g}): lower the learning rate, or stop here</source>
        <translation>die Summe der Losses ist seit {} Schritten nicht gefallen ({}, Änderung {} ± {}): senken Sie die Lernrate, oder hören Sie hier auf</translation>
    </message>
    <message>
        <source>the loss has not fallen for {} steps ({:.4g}, change {:+.2g} ± {:.1g}): lower the learning rate, or stop here</source>
        <translation>der Loss ist seit {} Schritten nicht gefallen ({}, Änderung {} ± {}): senken Sie die Lernrate, oder hören Sie hier auf</translation>
    </message>
    <message>
        <source>the losses of the two towers agree again</source>
        <translation>die Losses der beiden Tower stimmen wieder überein</translation>
    </message>
    <message>
        <source>tower {}: {}</source>
        <translation>Tower {}: {}</translation>
    </message>
    <message>
        <source>there is no layer &apos;{}&apos; before it</source>
        <translation>davor gibt es keine Schicht „{}“</translation>
    </message>
    <message>
        <source>{}, line {}: {}</source>
        <translation>{}, Zeile {}: {}</translation>
    </message>
    <message>
        <source>{}: can&apos;t read the model file{}</source>
        <translation>{}: die Modelldatei ist nicht lesbar{}</translation>
    </message>
    <message>
        <source> (it is a folder)</source>
        <translation> (es ist ein Ordner)</translation>
    </message>
    <message>
        <source>type &apos;{}&apos; is not known; choose one of: {}</source>
        <translation>der Typ „{}“ ist nicht bekannt; wählen Sie einen von: {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is missing</source>
        <translation>„{}“ fehlt</translation>
    </message>
    <message>
        <source>&apos;{}&apos; must be {}</source>
        <translation>„{}“ muss {} sein</translation>
    </message>
    <message>
        <source>&apos;{}&apos; must be [height, width]</source>
        <translation>„{}“ muss [Höhe, Breite] sein</translation>
    </message>
    <message>
        <source>&apos;{}&apos; must be a text in quotes, or several in brackets</source>
        <translation>„{}“ muss ein Text in Anführungszeichen sein, oder mehrere in Klammern</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is &apos;{}&apos;, but must be one of: {}</source>
        <translation>„{}“ ist „{}“, muss aber eines von diesen sein: {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; must be a table</source>
        <translation>„{}“ muss eine Tabelle sein</translation>
    </message>
    <message>
        <source>needs at least one [[{}]]</source>
        <translation>braucht mindestens ein [[{}]]</translation>
    </message>
    <message>
        <source>the key &apos;{}&apos; is not known</source>
        <translation>den Schlüssel „{}“ gibt es nicht</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>ein Text in Anführungszeichen</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; is not known; choose one of: {}, or give the path of a model file (.toml)</source>
        <translation>das Modell „{}“ gibt es nicht; wählen Sie eines von: {}, oder geben Sie den Pfad einer Modelldatei an (.toml)</translation>
    </message>
    <message>
        <source>model.{} is {}, but model &apos;inception_v3&apos; needs at least {}: with less, no cell is left after five halvings</source>
        <translation>model.{} ist {}, aber das Modell „inception_v3“ braucht mindestens {}: mit weniger bleibt nach fünf Halbierungen keine Zelle</translation>
    </message>
    <message>
        <source>model.classes is {}, but must be at least 1</source>
        <translation>model.classes ist {}, muss aber mindestens 1 sein</translation>
    </message>
    <message>
        <source>model.normalization is per_image, but the auxiliary head of model &apos;inception_v3&apos; normalises one cell of each image; choose batch, synchronised or moving</source>
        <translation>model.normalization ist per_image, aber der zweite Kopf des Modells „inception_v3“ normalisiert eine Zelle jedes Bildes; wählen Sie batch, synchronised oder moving</translation>
    </message>
    <message>
        <source>model.{} is {}, but must be a number of 0 or more</source>
        <translation>model.{} ist {}, muss aber eine Zahl von 0 oder mehr sein</translation>
    </message>
    <message>
        <source>model.{} is &apos;{}&apos;; choose one of: {}</source>
        <translation>model.{} ist „{}“; wählen Sie eines von: {}</translation>
    </message>
    <message>
        <source>model.{} is set, but model &apos;{}&apos; does not have this setting</source>
        <translation>model.{} ist gesetzt, aber das Modell „{}“ kennt diese Einstellung nicht</translation>
    </message>
    <message>
        <source>model &apos;segdecnet&apos;: {} is {}, but must be a multiple of {}, because six poolings halve it; {}{} fits</source>
        <translation>Modell „segdecnet“: {} ist {}, muss aber ein Vielfaches von {} sein, weil sechs Poolings es halbieren; {}{} passt</translation>
    </message>
    <message>
        <source>model &apos;segdecnet&apos;: an input of {}x{} leaves one cell at the end, which has no variance to normalise with in a single image; use 128x64 or more, or another model.normalization</source>
        <translation>Modell „segdecnet“: bei einer Eingabe von {}x{} bleibt am Ende eine Zelle, die in einem einzelnen Bild keine Varianz hat, mit der sich normalisieren ließe; nehmen Sie 128x64 oder mehr, oder eine andere model.normalization</translation>
    </message>
    <message>
        <source>model.variant is &apos;{}&apos;; choose authors or third_party</source>
        <translation>model.variant ist „{}“; wählen Sie authors oder third_party</translation>
    </message>
    <message>
        <source>model.decision_outputs is {}; choose 1 (sigmoid) or 2 (softmax of two classes)</source>
        <translation>model.decision_outputs ist {}; wählen Sie 1 (Sigmoid) oder 2 (Softmax über zwei Klassen)</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: layer &apos;{}&apos; gives {} values for {} classes</source>
        <translation>Ziel „{}“: die Schicht „{}“ gibt {} Werte für {} Klassen</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: layer &apos;{}&apos; is a {}, but logits must come from a fully connected layer (dense)</source>
        <translation>Ziel „{}“: die Schicht „{}“ ist {}, aber Logits müssen aus einer vollständig verbundenen Schicht (dense) kommen</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: label_smoothing is {}, but must be at least 0 and less than 1</source>
        <translation>Ziel „{}“: label_smoothing ist {}, muss aber mindestens 0 und kleiner als 1 sein</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: its target is a mask, but the model does not say of which size</source>
        <translation>Ziel „{}“: es wird an einer Maske gemessen, aber das Modell sagt nicht, von welcher Größe</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: layer &apos;{}&apos; gives {}, but the target is {}</source>
        <translation>Ziel „{}“: die Schicht „{}“ gibt {}, gemessen wird an {}</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: an input of {} holds nothing</source>
        <translation>Modell „{}“: eine Eingabe von {} enthält nichts</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: the name is used twice</source>
        <translation>Schicht „{}“: der Name kommt zweimal vor</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: a network has one input, its first layer</source>
        <translation>Schicht „{}“: ein Netz hat eine Eingabe, seine erste Schicht</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: needs {} before it as its input</source>
        <translation>Schicht „{}“: braucht {} vor sich als Eingabe</translation>
    </message>
    <message>
        <source>at least one layer, and only layers</source>
        <translation>mindestens eine Schicht, und nur Schichten</translation>
    </message>
    <message>
        <source>exactly one layer</source>
        <translation>genau eine Schicht</translation>
    </message>
    <message>
        <source>output &apos;{}&apos;: the name is used twice</source>
        <translation>Ausgabe „{}“: der Name kommt zweimal vor</translation>
    </message>
    <message>
        <source>output &apos;{}&apos;: its layer does not exist</source>
        <translation>Ausgabe „{}“: ihre Schicht gibt es nicht</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: a mask of {}x{} holds nothing</source>
        <translation>Modell „{}“: eine Maske von {}x{} enthält nichts</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: the name is used twice</source>
        <translation>Ziel „{}“: der Name kommt zweimal vor</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: its layer does not exist</source>
        <translation>Ziel „{}“: seine Schicht gibt es nicht</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: has no objective to train</source>
        <translation>Modell „{}“: hat kein Ziel, das zu trainieren wäre</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: its objectives train no parameter</source>
        <translation>Modell „{}“: seine Ziele trainieren keinen Parameter</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; has no {} &apos;{}&apos;; it has: {}</source>
        <translation>Modell „{}“ hat {} „{}“ nicht; es hat: {}</translation>
    </message>
    <message>
        <source>parameter group</source>
        <translation>Parametergruppe</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: with the groups {} frozen, {} train nothing; freeze fewer groups</source>
        <translation>Modell „{}“: sind die Gruppen {} eingefroren, trainiert {} nichts; frieren Sie weniger Gruppen ein</translation>
    </message>
    <message>
        <source>model &apos;{}&apos;: &apos;{}&apos; trains the groups {}, &apos;{}&apos; trains {}; objectives that are trained together must train the same groups. Train them in phases, one after the other, or joined with &quot;+&quot;</source>
        <translation>Modell „{}“: „{}“ trainiert die Gruppen {}, „{}“ trainiert {}; Ziele, die zusammen trainiert werden, müssen dieselben Gruppen trainieren. Trainieren Sie sie in Phasen, nacheinander, oder durch &quot;+&quot; verbunden</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: bias is {} and alpha is {}, but bias must be greater than 0 and alpha not negative</source>
        <translation>Schicht „{}“: bias ist {} und alpha ist {}, aber bias muss größer als 0 sein und alpha nicht negativ</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: epsilon is {}, but must be greater than 0: a channel may have no variance</source>
        <translation>Schicht „{}“: epsilon ist {}, muss aber größer als 0 sein: ein Kanal kann ohne Varianz sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: decay is {}, but must be at least 0 and less than 1</source>
        <translation>Schicht „{}“: decay ist {}, muss aber mindestens 0 und kleiner als 1 sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: its inputs are {} and {}, but must have one height and width</source>
        <translation>Schicht „{}“: ihre Eingaben sind {} und {}, müssen aber gleich hoch und breit sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: keep is {}, but must be greater than 0 and at most 1</source>
        <translation>Schicht „{}“: keep ist {}, muss aber größer als 0 und höchstens 1 sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: {} is {}, but must be at least 1</source>
        <translation>Schicht „{}“: {} ist {}, muss aber mindestens 1 sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: a window of {}x{} does not fit into its {} input; use padding = &quot;same&quot;</source>
        <translation>Schicht „{}“: ein Fenster von {}x{} passt nicht in ihre Eingabe von {}; nehmen Sie padding = &quot;same&quot;</translation>
    </message>
    <message>
        <source>towers is {}: give numbers from 1 to {}</source>
        <translation>towers ist {}: geben Sie Zahlen von 1 bis {} an</translation>
    </message>
    <message>
        <source>towers has nothing to compare one tower with: give 2 or more</source>
        <translation>towers hat nichts, womit ein Tower zu vergleichen wäre: geben Sie 2 oder mehr an</translation>
    </message>
    <message>
        <source>seconds is {}: give more than 0</source>
        <translation>seconds ist {}: geben Sie mehr als 0 an</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>der Speicher reicht nicht</translation>
    </message>
    <message>
        <source>the measurement was cancelled</source>
        <translation>die Messung wurde abgebrochen</translation>
    </message>
    <message>
        <source>fix is &apos;{}&apos;: give per-tower or global</source>
        <translation>fix ist „{}“: geben Sie per-tower oder global an</translation>
    </message>
    <message>
        <source>checkpoint.best_by is &apos;{}&apos;, but must be accuracy, top5, loss or average_precision, or one of them of the raw weights: raw_accuracy, raw_top5, raw_loss, raw_average_precision</source>
        <translation>checkpoint.best_by ist „{}“, muss aber accuracy, top5, loss oder average_precision sein, oder eines davon mit den rohen Gewichten: raw_accuracy, raw_top5, raw_loss, raw_average_precision</translation>
    </message>
    <message>
        <source>built-in network, or path of a model file (.toml)</source>
        <translation>eingebautes Netz, oder Pfad einer Modelldatei (.toml)</translation>
    </message>
    <message>
        <source>in pixels: a multiple of 64 for segdecnet, 75 or more for inception_v3; 0: the model&apos;s own</source>
        <translation>in Pixeln: ein Vielfaches von 64 für segdecnet, 75 oder mehr für inception_v3; 0: die des Modells</translation>
    </message>
    <message>
        <source>in pixels, as model.input_height</source>
        <translation>in Pixeln, wie model.input_height</translation>
    </message>
    <message>
        <source>per_image, batch, synchronised or moving; empty: per_image for segdecnet, else batch</source>
        <translation>per_image, batch, synchronised oder moving; leer: per_image für segdecnet, sonst batch</translation>
    </message>
    <message>
        <source>how the towers&apos; running moments merge: mean (of moments), last or first</source>
        <translation>wie die laufenden Momente der Tower vereint werden: mean (der Momente), last oder first</translation>
    </message>
    <message>
        <source>for short runs: running moments decay by min(decay, (1+n)/(10+n)) after n steps</source>
        <translation>für kurze Läufe: die laufenden Momente fallen nach n Schritten um min(decay, (1+n)/(10+n)) ab</translation>
    </message>
    <message>
        <source>segdecnet: whether normalisations scale, on or off</source>
        <translation>segdecnet: ob die Normalisierungen skalieren, on oder off</translation>
    </message>
    <message>
        <source>segdecnet&apos;s convolutions begin with: normal or xavier</source>
        <translation>segdecnet: womit die Faltungen beginnen, normal oder xavier</translation>
    </message>
    <message>
        <source>segdecnet: what is applied to the mask that the decision reads, relu or sigmoid</source>
        <translation>segdecnet: was auf die Maske angewandt wird, die die Entscheidung liest, relu oder sigmoid</translation>
    </message>
    <message>
        <source>segdecnet: 1 (sigmoid) or 2 (softmax)</source>
        <translation>segdecnet: 1 (Sigmoid) oder 2 (Softmax)</translation>
    </message>
    <message>
        <source>inception_v3: output 0 is none of the classes; labels of folders then begin at 1</source>
        <translation>inception_v3: Ausgang 0 ist keine der Klassen; die Klassen von Ordnern beginnen dann bei 1</translation>
    </message>
    <message>
        <source>inception_v3: weight of the second objective; 0: it is only reported</source>
        <translation>inception_v3: Gewicht des zweiten Ziels; 0: es wird nur gemeldet</translation>
    </message>
    <message>
        <source>fine-tuning: checkpoint, safetensors file or run whose weights a new run begins with; empty: random</source>
        <translation>Feinabstimmung: Checkpoint, safetensors-Datei oder Lauf, mit dessen Gewichten ein neuer Lauf beginnt; leer: zufällige</translation>
    </message>
    <message>
        <source>which of its weights: average (moving averages) or raw; auto: average if it has them</source>
        <translation>welche seiner Gewichte: average (gleitende Mittel) oder raw (rohe); auto: average, wenn es sie gibt</translation>
    </message>
    <message>
        <source>layers that begin with random weights anyway, as those whose weights have another shape do</source>
        <translation>Schichten, die trotzdem mit zufälligen Gewichten beginnen, wie jene, deren Gewichte dort eine andere Form haben</translation>
    </message>
    <message>
        <source>parts, by item, of a data set with masks</source>
        <translation>Zahl der Teile eines Datensatzes mit Masken; ein Stück liegt ganz in einem Teil</translation>
    </message>
    <message>
        <source>of images whose camera noted how it was held (EXIF): turn them so, or leave them as stored</source>
        <translation>Bilder, deren Kamera vermerkt hat, wie sie gehalten wurde (EXIF): turn dreht sie so, stored lässt sie, wie sie gespeichert sind</translation>
    </message>
    <message>
        <source>bits that PNGs of 16 use: 12 for values to 4,095; 0: as the file says, or all</source>
        <translation>Bit, die PNGs mit 16 nutzen: 12 für Werte bis 4.095; 0: wie die Datei sagt, sonst alle</translation>
    </message>
    <message>
        <source>least value of a mask, of 255, that marks: 1 for any, 128 for soft edges or noise</source>
        <translation>kleinster Wert einer Maske, von 255, der markiert: 1 für jeden, 128 bei weichen Kanten oder Rauschen</translation>
    </message>
    <message>
        <source>of masks: black, white (inverted masks); auto: black, refused where most is marked</source>
        <translation>von Masken: black, white (invertierte Masken); auto: black, abgelehnt, wo das meiste markiert ist</translation>
    </message>
    <message>
        <source>the part to test on, from 0; -1: train and test on all</source>
        <translation>der Teil, auf dem getestet wird, ab 0; -1: auf allen trainieren und testen</translation>
    </message>
    <message>
        <source>file with lines such as &apos;kos01 0&apos;, the part of each item; empty: dealt by the seed</source>
        <translation>Datei mit Zeilen wie „kos01 0“: der Teil jedes Stücks; leer: nach dem Seed verteilt</translation>
    </message>
    <message>
        <source>width of the diamond that a marked pixel becomes: 0 (as it is), 5, 9, 13 or 17</source>
        <translation>Breite der Raute, zu der ein markiertes Pixel wird: 0 (wie es ist), 5, 9, 13 oder 17</translation>
    </message>
    <message>
        <source>balanced: half of each batch defective; shuffled; auto: balanced where there are masks</source>
        <translation>balanced: die Hälfte jedes Batches fehlerhaft; shuffled: gemischt; auto: balanced, wo es Masken gibt</translation>
    </message>
    <message>
        <source>of image_folder and tfrecord: skip leaves damaged images out, up to one in a hundred; skip_all: any number; refuse: none</source>
        <translation>bei image_folder und tfrecord: skip lässt beschädigte Bilder aus, bis zu eines von hundert; skip_all: beliebig viele; refuse: keines</translation>
    </message>
    <message>
        <source>how long a run waits for images that can&apos;t be read: a drive is away; 0: not at all</source>
        <translation>wie lange ein Lauf auf Bilder wartet, die sich nicht lesen lassen: ein Laufwerk ist fort; 0: gar nicht</translation>
    </message>
    <message>
        <source>names of tfrecord&apos;s files; {split} stands for train, val, test …; auto: the usual ones</source>
        <translation>Namen der Dateien von tfrecord; {split} steht für train, val, test …; auto: die üblichen</translation>
    </message>
    <message>
        <source>added to the labels of tfrecord</source>
        <translation>wird zu den Klassen von tfrecord addiert</translation>
    </message>
    <message>
        <source>replicas that train in lockstep, one batch each</source>
        <translation>Kopien des Netzes, die im Gleichschritt trainieren, jede mit einem eigenen Batch</translation>
    </message>
    <message>
        <source>CPU threads of a tower; 0: processors / towers; &apos;measure&apos;: the fastest, tried at start</source>
        <translation>CPU-Threads eines Towers; 0: Prozessoren / Tower; „measure“: die schnellste Zahl, beim Start gemessen</translation>
    </message>
    <message>
        <source>auto, cpu, cuda or cuda:I[,J]; a named device is strict</source>
        <translation>auto, cpu, cuda oder cuda:I[,J]; was genannt ist, wird auch genommen</translation>
    </message>
    <message>
        <source>examples of one tower in one step; 128 if neither this nor global_batch is given</source>
        <translation>Beispiele eines Towers in einem Schritt; 128, wenn weder dies noch global_batch angegeben ist</translation>
    </message>
    <message>
        <source>examples of all towers in one step, instead of batch_per_tower</source>
        <translation>Beispiele aller Tower in einem Schritt, statt batch_per_tower</translation>
    </message>
    <message>
        <source>updates in all; cuts the phases or extends the last</source>
        <translation>Updates insgesamt; kürzt die Phasen oder verlängert die letzte</translation>
    </message>
    <message>
        <source>what is trained when: [[phase]] with objective, steps, learning_rate, frozen</source>
        <translation>was wann trainiert wird: [[phase]] mit objective, steps, learning_rate, frozen</translation>
    </message>
    <message>
        <source>key of every random number</source>
        <translation>Schlüssel aller Zufallszahlen</translation>
    </message>
    <message>
        <source>float32, tf32 or bfloat16</source>
        <translation>float32, tf32 oder bfloat16</translation>
    </message>
    <message>
        <source>replay a captured step on GPUs; false: enqueue every step anew</source>
        <translation>einen aufgezeichneten Schritt auf GPUs abspielen; false: jeden Schritt neu einreihen</translation>
    </message>
    <message>
        <source>rate until the first decay</source>
        <translation>Rate bis zum ersten Abfall</translation>
    </message>
    <message>
        <source>factor of each decay</source>
        <translation>Faktor jedes Abfalls</translation>
    </message>
    <message>
        <source>passes over the training set between decays</source>
        <translation>Durchgänge durch die Trainingsdaten zwischen zwei Abfällen</translation>
    </message>
    <message>
        <source>decay by the batch of one tower, as TensorFlow&apos;s script did until 2018</source>
        <translation>Abfall nach dem Batch eines Towers, wie das Skript von TensorFlow es bis 2018 tat</translation>
    </message>
    <message>
        <source>momentum (0.9 is usual) and rmsprop: the share of a step that is left in the next one</source>
        <translation>momentum (üblich 0.9) und rmsprop: der Anteil eines Schrittes, der im nächsten erhalten bleibt</translation>
    </message>
    <message>
        <source>momentum: look a step ahead</source>
        <translation>momentum: einen Schritt vorausschauen</translation>
    </message>
    <message>
        <source>rmsprop: decay of the mean of squared gradients</source>
        <translation>rmsprop: Abfall des Mittels der quadrierten Gradienten</translation>
    </message>
    <message>
        <source>decay of the weights&apos; moving average, min(decay, (1+n)/(10+n))</source>
        <translation>Abfall des gleitenden Mittels der Gewichte, min(decay, (1+n)/(10+n))</translation>
    </message>
    <message>
        <source>a gradient that only some towers have: error, or count as zeros</source>
        <translation>ein Gradient, den nur manche Tower haben: Fehler, oder als Nullen zählen</translation>
    </message>
    <message>
        <source>newest checkpoints that are kept</source>
        <translation>wie viele der neuesten Checkpoints behalten werden</translation>
    </message>
    <message>
        <source>best checkpoints that are kept as well</source>
        <translation>wie viele der besten Checkpoints zusätzlich behalten werden</translation>
    </message>
    <message>
        <source>on the test set, of moving averages: accuracy, top5, loss, average_precision; raw_…: of the weights</source>
        <translation>auf den Testdaten, mit gleitenden Mitteln: accuracy, top5, loss, average_precision; raw_…: mit den Gewichten selbst</translation>
    </message>
    <message>
        <source>steps between records for TensorBoard in RUN/events; 0: none</source>
        <translation>Schritte zwischen zwei Aufzeichnungen für TensorBoard in RUN/events; 0: keine</translation>
    </message>
    <message>
        <source>0: only at the end</source>
        <translation>0: nur am Ende</translation>
    </message>
    <message>
        <source>evaluate after the last step</source>
        <translation>nach dem letzten Schritt auswerten</translation>
    </message>
    <message>
        <source>towers that evaluate, same result for any; 0: all</source>
        <translation>Tower, die auswerten, mit gleichem Ergebnis bei jeder Zahl; 0: alle</translation>
    </message>
    <message>
        <source>loader threads; 0: 4 for each tower on GPUs, else a quarter of the processors</source>
        <translation>Lade-Threads; 0: auf GPUs 4 für jeden Tower, sonst ein Viertel der Prozessoren</translation>
    </message>
    <message>
        <source>global batches kept ready</source>
        <translation>globale Batches, die bereitstehen</translation>
    </message>
    <message>
        <source>random crop; false: central crop</source>
        <translation>zufälliger Ausschnitt; false: aus der Mitte</translation>
    </message>
    <message>
        <source>mirror every other image</source>
        <translation>jedes zweite Bild spiegeln</translation>
    </message>
    <message>
        <source>random brightness</source>
        <translation>zufällige Helligkeit</translation>
    </message>
    <message>
        <source>random contrast</source>
        <translation>zufälliger Kontrast</translation>
    </message>
    <message>
        <source>random saturation, of photographs</source>
        <translation>zufällige Sättigung, von Fotos</translation>
    </message>
    <message>
        <source>random hue, of photographs</source>
        <translation>zufälliger Farbton, von Fotos</translation>
    </message>
    <message>
        <source>decode photographs no larger than needed; false: whole</source>
        <translation>Fotos nicht größer als nötig dekodieren; false: ganz</translation>
    </message>
    <message>
        <source>mean 0 and deviation 1 for each image</source>
        <translation>Mittel 0 und Abweichung 1 für jedes Bild</translation>
    </message>
    <message>
        <source>mirror every other image with its mask, left to right; input.crop to input.standardize are for images without masks</source>
        <translation>jedes zweite Bild mit seiner Maske spiegeln, links und rechts; input.crop bis input.standardize gelten für Bilder ohne Masken</translation>
    </message>
    <message>
        <source>mirror every other image with its mask, top to bottom</source>
        <translation>jedes zweite Bild mit seiner Maske spiegeln, oben und unten</translation>
    </message>
    <message>
        <source>of images with masks: unit (0 to 1) or byte (0 to 255); auto: as the model wants it</source>
        <translation>bei Bildern mit Masken: unit (0 bis 1) oder byte (0 bis 255); auto: wie das Modell es will</translation>
    </message>
    <message>
        <source>pooled (17 × 17 average) or reduced (0 or 1) at 1/8 size; auto: as the model wants it</source>
        <translation>pooled (Mittel von 17 × 17) oder reduced (0 oder 1) bei 1/8 der Größe; auto: wie das Modell es will</translation>
    </message>
    <message>
        <source>for teaching: milliseconds that one tower on the CPU sleeps in every backward pass</source>
        <translation>zum Lernen: Millisekunden, die ein Tower auf der CPU in jedem Rückwärtsgang schläft</translation>
    </message>
    <message>
        <source>which tower sleeps; -1: the last</source>
        <translation>welcher Tower schläft; -1: der letzte</translation>
    </message>
    <message>
        <source>a fault on purpose: same (rows for all towers), skewed or poisoned (one tower); distinct: none</source>
        <translation>ein Fehler mit Absicht: same (gleiche Zeilen für alle), skewed oder poisoned (ein Tower); distinct: keiner</translation>
    </message>
    <message>
        <source>which tower is skewed or poisoned; -1: the last</source>
        <translation>welcher Tower einseitig oder vergiftet ist; -1: der letzte</translation>
    </message>
    <message>
        <source>class of all examples of a skewed tower</source>
        <translation>die Klasse aller Beispiele eines einseitigen Towers</translation>
    </message>
    <message>
        <source>alert when the loss has not fallen for this many steps; 0: never (as for all alerts)</source>
        <translation>Alarm, wenn der Loss so viele Schritte lang nicht gefallen ist; 0: nie (wie bei allen Alarmen)</translation>
    </message>
    <message>
        <source>when no step has been done for this long, and for 20 times the median of the last steps</source>
        <translation>wenn so lange kein Schritt fertig wurde, und 20-mal so lange wie der Median der letzten Schritte</translation>
    </message>
    <message>
        <source>when the towers wait for data for more than this share of 100 steps</source>
        <translation>wenn die Tower mehr als diesen Anteil von 100 Schritten auf Daten warten</translation>
    </message>
    <message>
        <source>when the disk has room for fewer checkpoints</source>
        <translation>wenn auf der Platte Platz für weniger Checkpoints ist</translation>
    </message>
    <message>
        <source>when a tower&apos;s loss differs from that of the others by more than this share of it</source>
        <translation>wenn der Loss eines Towers um mehr als diesen Anteil von dem der anderen abweicht</translation>
    </message>
    <message>
        <source>a whole number or &apos;measure&apos;</source>
        <translation>eine ganze Zahl oder „measure“</translation>
    </message>
    <message>
        <source>a whole number of 0 or more</source>
        <translation>eine ganze Zahl von 0 oder mehr</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;, but must be {}</source>
        <translation>{} ist „{}“, muss aber {} sein</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;, but must be true or false</source>
        <translation>{} ist „{}“, muss aber true oder false sein</translation>
    </message>
    <message>
        <source>the key &apos;{}&apos; is not known; did you mean &apos;{}&apos;?</source>
        <translation>den Schlüssel „{}“ gibt es nicht; meinten Sie „{}“?</translation>
    </message>
    <message>
        <source>{} must be {}</source>
        <translation>{} muss {} sein</translation>
    </message>
    <message>
        <source>{} is {}, which is out of range</source>
        <translation>{} ist {} und damit außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>{}: can&apos;t read the configuration{}</source>
        <translation>{}: die Konfiguration ist nicht lesbar{}</translation>
    </message>
    <message>
        <source>experiment.tower is {}, but must be between -1 (the last) and {}</source>
        <translation>experiment.tower ist {}, muss aber zwischen -1 (der letzte) und {} liegen</translation>
    </message>
    <message>
        <source>experiment.class is {}, but must be the number of a class</source>
        <translation>experiment.class ist {}, muss aber die Nummer einer Klasse sein</translation>
    </message>
    <message>
        <source>experiment: tower {} sleeps {} ms in every backward pass</source>
        <translation>Experiment: Tower {} schläft {} ms in jedem Rückwärtsgang</translation>
    </message>
    <message>
        <source>experiment: all towers get the same rows, those of tower 0</source>
        <translation>Experiment: alle Tower bekommen dieselben Zeilen, die von Tower 0</translation>
    </message>
    <message>
        <source>experiment: tower {} gets only examples of class {}</source>
        <translation>Experiment: Tower {} bekommt nur Beispiele der Klasse {}</translation>
    </message>
    <message>
        <source>experiment: the labels of tower {} are random</source>
        <translation>Experiment: die Klassen von Tower {} sind zufällig</translation>
    </message>
    <message>
        <source>initial_weights.weights is &apos;{}&apos;, but must be auto, average or raw</source>
        <translation>initial_weights.weights ist „{}“, muss aber auto, average oder raw sein</translation>
    </message>
    <message>
        <source>initial_weights.fresh_layers names layers, but nothing says whose weights the others take: give initial_weights.checkpoint (--weights-from)</source>
        <translation>initial_weights.fresh_layers nennt Schichten, aber nirgends steht, wessen Gewichte die anderen übernehmen: geben Sie initial_weights.checkpoint an (--weights-from)</translation>
    </message>
    <message>
        <source>{} must be a list of names, or one name</source>
        <translation>{} muss eine Liste von Namen sein, oder ein Name</translation>
    </message>
    <message>
        <source>{} is {}, but must be at least 0 and less than 1</source>
        <translation>{} ist {}, muss aber mindestens 0 und kleiner als 1 sein</translation>
    </message>
    <message>
        <source>optimizer.epsilon is {}, but must be between {} and {}, or 0 for the usual one</source>
        <translation>optimizer.epsilon ist {}, muss aber zwischen {} und {} liegen, oder 0 sein für das übliche</translation>
    </message>
    <message>
        <source>optimizer.momentum is 0, but momentum needs more; 0.9 is usual (sgd goes without)</source>
        <translation>optimizer.momentum ist 0, aber momentum braucht mehr; üblich ist 0.9 (sgd kommt ohne aus)</translation>
    </message>
    <message>
        <source>objective, steps, learning_rate and frozen</source>
        <translation>objective, steps, learning_rate und frozen</translation>
    </message>
    <message>
        <source>{{objective = {}, steps = {}</source>
        <translation>{{objective = {}, steps = {}</translation>
    </message>
    <message>
        <source>the key &apos;{}&apos; is not known; a phase has {}</source>
        <translation>den Schlüssel „{}“ gibt es nicht; eine Phase hat {}</translation>
    </message>
    <message>
        <source>the key &apos;phase.{}&apos; is not known; say which phase, from 0, and what of it: phase.0.steps</source>
        <translation>den Schlüssel „phase.{}“ gibt es nicht; sagen Sie, welche Phase, ab 0, und was davon: phase.0.steps</translation>
    </message>
    <message>
        <source>a list of tables: [[phase]]</source>
        <translation>eine Liste von Tabellen: [[phase]]</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>eine Tabelle</translation>
    </message>
    <message>
        <source>phase is not a list of phases in TOML: {}</source>
        <translation>phase ist keine Liste von Phasen in TOML: {}</translation>
    </message>
    <message>
        <source>phase.{} is set, but there are {} phases; the next is phase.{}</source>
        <translation>phase.{} ist gesetzt, aber es gibt {} Phasen; die nächste ist phase.{}</translation>
    </message>
    <message>
        <source>phase.{} is &apos;{}&apos;, which can&apos;t be read</source>
        <translation>phase.{} ist „{}“, was nicht zu lesen ist</translation>
    </message>
    <message>
        <source>{} is {}, but must be between {} and {}</source>
        <translation>{} ist {}, muss aber zwischen {} und {} liegen</translation>
    </message>
    <message>
        <source>{} is {}, but must be a number of 0 or more</source>
        <translation>{} ist {}, muss aber eine Zahl von 0 oder mehr sein</translation>
    </message>
    <message>
        <source>{} is {}, but must be at least {}</source>
        <translation>{} ist {}, muss aber mindestens {} sein</translation>
    </message>
    <message>
        <source>seed is {}, but must be at most {}</source>
        <translation>seed ist {}, darf aber höchstens {} sein</translation>
    </message>
    <message>
        <source>batch_per_tower is {} and global_batch is {}, but {} towers × {} = {}; give one of the two</source>
        <translation>batch_per_tower ist {} und global_batch ist {}, aber {} Tower × {} = {}; geben Sie eines von beiden an</translation>
    </message>
    <message>
        <source>algorithms holds &apos;{}&apos;, which names no layer; leave it empty to choose anew, or &apos;first&apos; for the library&apos;s first suggestions</source>
        <translation>algorithms enthält „{}“, was keine Schicht nennt; lassen Sie es leer, um neu zu wählen, oder „first“ für die ersten Vorschläge der Bibliothek</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;, but must be {} or {}</source>
        <translation>{} ist „{}“, muss aber {} oder {} sein</translation>
    </message>
    <message>
        <source>dataset.pattern is empty; give the names of the record files, such as &apos;{{split}}-*&apos;</source>
        <translation>dataset.pattern ist leer; geben Sie die Namen der TFRecord-Dateien an, etwa „{{split}}-*“</translation>
    </message>
    <message>
        <source>; marks dilated by {}, {} labels; images resized to {} × {}, {} pixels</source>
        <translation>; Markierungen um {} verbreitert, {} Labels; Bilder auf {} × {} gebracht, {} Pixel</translation>
    </message>
    <message>
        <source>; half of each global batch is defective</source>
        <translation>; die Hälfte jedes globalen Batches ist fehlerhaft</translation>
    </message>
    <message>
        <source>; shuffled</source>
        <translation>; gemischt</translation>
    </message>
    <message>
        <source>images of up to {:.2f} megapixels, resized to {} × {}; each of {} loader threads takes up to {:.1f} MiB for one</source>
        <translation>Bilder von bis zu {} Megapixeln, auf {} × {} gebracht; jeder von {} Lade-Threads braucht bis zu {} MiB für eines</translation>
    </message>
    <message>
        <source>{}: {} of {} images can&apos;t be used, more than one in a hundred: {}{}. Remove or replace them, or go on without them (dataset.damaged = skip_all)</source>
        <translation>{}: {} von {} Bildern sind nicht zu gebrauchen, mehr als eines von hundert: {}{}. Entfernen oder ersetzen Sie sie, oder machen Sie ohne sie weiter (dataset.damaged = skip_all)</translation>
    </message>
    <message>
        <source>{}: no test image is whole; get them again</source>
        <translation>{}: kein Testbild ist unversehrt; besorgen Sie sie neu</translation>
    </message>
    <message>
        <source>damaged test images that are left out of the score: {}</source>
        <translation>beschädigte Testbilder, die bei der Bewertung wegbleiben: {}</translation>
    </message>
    <message>
        <source>the structure of all {} images was checked beside the training: {} are damaged</source>
        <translation>der Aufbau aller {} Bilder wurde neben dem Training geprüft: {} sind beschädigt</translation>
    </message>
    <message>
        <source>the last steps could not be saved: {}</source>
        <translation>die letzten Schritte konnten nicht gesichert werden: {}</translation>
    </message>
    <message>
        <source>{}; it is left out of the scores</source>
        <translation>{}; es bleibt bei den Bewertungen weg</translation>
    </message>
    <message>
        <source>{}; the next one is trained instead</source>
        <translation>{}; das nächste wird an seiner Stelle trainiert</translation>
    </message>
    <message>
        <source>(--resume) when that is mended</source>
        <translation>(--resume), wenn das behoben ist</translation>
    </message>
    <message>
        <source>waiting up to {} s for the data (dataset.patience_seconds): {}</source>
        <translation>wartet bis zu {} s auf die Daten (dataset.patience_seconds): {}</translation>
    </message>
    <message>
        <source>the data are there again after {:.1f} s; it goes on</source>
        <translation>die Daten sind nach {} s wieder da; es geht weiter</translation>
    </message>
    <message>
        <source>the run was stopped while it waited for the data: {}</source>
        <translation>der Lauf wurde angehalten, während er auf die Daten wartete: {}</translation>
    </message>
    <message>
        <source>dataset.patience_seconds is {}, but must be a number of 0 or more</source>
        <translation>dataset.patience_seconds ist {}, muss aber eine Zahl von 0 oder mehr sein</translation>
    </message>
    <message>
        <source>; {} damaged ones left out, the first: {}</source>
        <translation>; {} beschädigte ausgelassen, das erste: {}</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; learns from masks, which data set &apos;{}&apos; does not have; choose one that does</source>
        <translation>das Modell „{}“ lernt von Masken, die der Datensatz „{}“ nicht hat; wählen Sie einen, der welche hat</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; learns masks of {} × {} cells, but inputs of {} × {} have labels of {} × {}: a cell stands for {} × {} pixels</source>
        <translation>das Modell „{}“ lernt Masken von {} × {} Zellen, aber Eingaben von {} × {} haben Labels von {} × {}: eine Zelle steht für {} × {} Pixel</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; needs images of at least {}, data set &apos;{}&apos; has {}</source>
        <translation>das Modell „{}“ braucht Bilder von mindestens {}, der Datensatz „{}“ hat {}</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; tells {} classes apart, data set &apos;{}&apos; has {}</source>
        <translation>das Modell „{}“ unterscheidet {} Klassen, der Datensatz „{}“ hat {}</translation>
    </message>
    <message>
        <source># A run of Lockstep.</source>
        <translation># A run of Lockstep.</translation>
    </message>
    <message>
        <source># A run of Lockstep. Repeat it with: lockstep-train train --config FILE
# Keys that are not here have their defaults: lockstep-train train --help
</source>
        <translation># A run of Lockstep. Repeat it with: lockstep-train train --config FILE
# Keys that are not here have their defaults: lockstep-train train --help
</translation>
    </message>
    <message>
        <source>steps {} to {}: {}, learning rate {}{}</source>
        <translation>Schritte {} bis {}: {}, Lernrate {}{}</translation>
    </message>
    <message>
        <source>all objectives</source>
        <translation>alle Ziele</translation>
    </message>
    <message>
        <source>by the schedule</source>
        <translation>nach dem Zeitplan</translation>
    </message>
    <message>
        <source>; frozen: {}</source>
        <translation>; eingefroren: {}</translation>
    </message>
    <message>
        <source>phase.{}.steps is {}, but must be at least 0</source>
        <translation>phase.{}.steps ist {}, muss aber mindestens 0 sein</translation>
    </message>
    <message>
        <source>phase.{}.learning_rate is {}, but must be a number of 0 or more</source>
        <translation>phase.{}.learning_rate ist {}, muss aber eine Zahl von 0 oder mehr sein</translation>
    </message>
    <message>
        <source>{}: no pipe for its control socket{}</source>
        <translation>{}: keine Pipe für seinen Steueranschluss{}</translation>
    </message>
    <message>
        <source>this run belongs to another user</source>
        <translation>dieser Lauf gehört einem anderen Benutzer</translation>
    </message>
    <message>
        <source>{}: not a folder that only you can open; set XDG_RUNTIME_DIR</source>
        <translation>{}: kein Ordner, den nur Sie öffnen können; setzen Sie XDG_RUNTIME_DIR</translation>
    </message>
    <message>
        <source>{}: no control socket can be made for it at {}{}</source>
        <translation>{}: ein Steueranschluss lässt sich nicht anlegen bei {}{}</translation>
    </message>
    <message>
        <source>{} takes no value, but &apos;{}&apos; is given</source>
        <translation>{} nimmt keinen Wert, aber „{}“ ist angegeben</translation>
    </message>
    <message>
        <source>{} needs {}, but &apos;{}&apos; is given</source>
        <translation>{} braucht {}, aber „{}“ ist angegeben</translation>
    </message>
    <message>
        <source>{} takes &apos;off&apos; or nothing, but &apos;{}&apos; is given</source>
        <translation>{} nimmt „off“ oder nichts, aber „{}“ ist angegeben</translation>
    </message>
    <message>
        <source>only the process that trains can save to a file of its own</source>
        <translation>nur der Prozess, der trainiert, kann in eine eigene Datei sichern</translation>
    </message>
    <message>
        <source>unknown command &apos;{}&apos;</source>
        <translation>den Befehl „{}“ gibt es nicht</translation>
    </message>
    <message>
        <source>{}: not a run (it has no run.toml)</source>
        <translation>{}: kein Lauf (er hat kein run.toml)</translation>
    </message>
    <message>
        <source>{}: no process is training this run at the moment</source>
        <translation>{}: zur Zeit trainiert kein Prozess diesen Lauf</translation>
    </message>
    <message>
        <source>{}: process {}, which trains this run, can&apos;t be reached{}</source>
        <translation>{}: Prozess {}, der diesen Lauf trainiert, ist nicht zu erreichen{}</translation>
    </message>
    <message>
        <source>{}: the process that trains this run does not answer</source>
        <translation>{}: der Prozess, der diesen Lauf trainiert, antwortet nicht</translation>
    </message>
    <message>
        <source>towers is {}, but must be between 1 and {}</source>
        <translation>towers ist {}, muss aber zwischen 1 und {} liegen</translation>
    </message>
    <message>
        <source>{}: its model, {}, does not classify: leave out --confusion and the file of --images</source>
        <translation>{}: sein Modell, {}, klassifiziert nicht: lassen Sie --confusion und die Datei von --images weg</translation>
    </message>
    <message>
        <source>the evaluation was cancelled</source>
        <translation>die Auswertung wurde abgebrochen</translation>
    </message>
    <message>
        <source>{}: is a folder; give an image</source>
        <translation>{}: ist ein Ordner; geben Sie ein Bild an</translation>
    </message>
    <message>
        <source>{}: the image has {} × {} pixels, but each side must have at least {}; give a larger one</source>
        <translation>{}: das Bild hat {} × {} Pixel, aber jede Seite muss mindestens {} haben; nehmen Sie ein größeres</translation>
    </message>
    <message>
        <source>{}: can&apos;t be tried: the images of data set &apos;{}&apos; have {} channels, not red, green and blue; choose one of the test set</source>
        <translation>{}: lässt sich nicht prüfen: die Bilder des Datensatzes „{}“ haben {} Kanäle, nicht Rot, Grün und Blau; wählen Sie eines der Testdaten</translation>
    </message>
    <message>
        <source>{}: its model, {}, neither detects nor classifies images; take a checkpoint of one that does, such as segdecnet or cifar10</source>
        <translation>{}: sein Modell, {}, findet nichts und klassifiziert nicht; nehmen Sie den Checkpoint eines Modells, das es tut, etwa segdecnet oder cifar10</translation>
    </message>
    <message>
        <source>the test set has no example {}: its examples are numbered from 0 to {}</source>
        <translation>die Testdaten haben kein Beispiel {}: ihre Beispiele sind 0 bis {}</translation>
    </message>
    <message>
        <source>{}: there is no good checkpoint in this folder</source>
        <translation>{}: in diesem Ordner ist kein brauchbarer Checkpoint</translation>
    </message>
    <message>
        <source>{}: no checkpoint, run or folder of this name exists</source>
        <translation>{}: es gibt keinen Checkpoint, Lauf oder Ordner dieses Namens</translation>
    </message>
    <message>
        <source>{}: it has no moving averages; use --weights raw</source>
        <translation>{}: er hat keine gleitenden Mittel; nehmen Sie --weights raw</translation>
    </message>
    <message>
        <source>{}: it does not say how it was trained (no configuration)</source>
        <translation>{}: er sagt nicht, wie er trainiert wurde (keine Konfiguration)</translation>
    </message>
    <message>
        <source>{}: no thread to write it with ({})</source>
        <translation>{}: kein Thread, um es zu schreiben ({})</translation>
    </message>
    <message>
        <source>{}: no memory to write it with</source>
        <translation>{}: kein Speicher, um es zu schreiben</translation>
    </message>
    <message>
        <source>model.name is &apos;{}&apos;, which gives images no score: it needs the outputs {} and {}</source>
        <translation>model.name ist „{}“, das Bildern keinen Wert gibt: es braucht die Ausgaben {} und {}</translation>
    </message>
    <message>
        <source>a cross-validation needs a folder for its runs</source>
        <translation>eine Kreuzvalidierung braucht einen Ordner für ihre Läufe</translation>
    </message>
    <message>
        <source>{}: this fold was trained under another configuration; choose another folder</source>
        <translation>{}: dieser Teil wurde mit einer anderen Konfiguration trainiert; wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>stopped in fold {} at step {}; the same command continues from there</source>
        <translation>bei Teil {} in Schritt {} gestoppt; derselbe Befehl macht da weiter</translation>
    </message>
    <message>
        <source>initial_weights.fresh_layers names &apos;{}&apos;, but model &apos;{}&apos; has no layer of that name with weights; did you mean &apos;{}&apos;?</source>
        <translation>initial_weights.fresh_layers nennt „{}“, aber das Modell „{}“ hat keine Schicht dieses Namens mit Gewichten; meinten Sie „{}“?</translation>
    </message>
    <message>
        <source>initial_weights.weights is average, but {} has no moving averages; use raw or auto</source>
        <translation>initial_weights.weights ist average, aber {} hat keine gleitenden Mittel; nehmen Sie raw oder auto</translation>
    </message>
    <message>
        <source>initial_weights.checkpoint is {}, but nothing of it fits model &apos;{}&apos;{}: it has {}, the model {}; choose a checkpoint of the same network, or fewer fresh layers</source>
        <translation>initial_weights.checkpoint ist {}, aber nichts davon passt zu Modell „{}“{}: es hat {}, das Modell {}; wählen Sie einen Checkpoint desselben Netzes oder weniger neue Schichten</translation>
    </message>
    <message>
        <source> (it is of model &apos;{}&apos;)</source>
        <translation> (er ist vom Modell „{}“)</translation>
    </message>
    <message>
        <source>initial_weights.checkpoint is {}, but no file or run of this name exists; choose another one, or leave it empty to begin with random weights</source>
        <translation>initial_weights.checkpoint ist {}, aber es gibt keine Datei und keinen Lauf dieses Namens; wählen Sie etwas anderes, oder lassen Sie es leer, um mit zufälligen Gewichten zu beginnen</translation>
    </message>
    <message>
        <source>{}: damaged header: checksums are missing; use another checkpoint</source>
        <translation>{}: Kopf beschädigt: Prüfsummen fehlen; nehmen Sie einen anderen Checkpoint</translation>
    </message>
    <message>
        <source>{}: damaged: it has no fitting tensor &apos;{}&apos;; use another file</source>
        <translation>{}: beschädigt: ohne passenden Tensor „{}“; nehmen Sie eine andere Datei</translation>
    </message>
    <message>
        <source>{}: tensor &apos;{}&apos; has values that are not finite; use an earlier checkpoint, or name its layer in initial_weights.fresh_layers</source>
        <translation>{}: der Tensor „{}“ hat Werte, die nicht endlich sind; nehmen Sie einen früheren Checkpoint, oder nennen Sie seine Schicht in initial_weights.fresh_layers</translation>
    </message>
    <message>
        <source>not used of the file: {}</source>
        <translation>aus der Datei nicht benutzt: {}</translation>
    </message>
    <message>
        <source>shape {} here, {} there</source>
        <translation>Form {} hier, {} dort</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>nicht in der Datei</translation>
    </message>
    <message>
        <source>there of a type that is not read</source>
        <translation>dort in einem Typ, der nicht gelesen wird</translation>
    </message>
    <message>
        <source>named in fresh_layers</source>
        <translation>in fresh_layers genannt</translation>
    </message>
    <message>
        <source> ({}, step {}, {})</source>
        <translation> ({}, Schritt {}, {})</translation>
    </message>
    <message>
        <source>moving averages</source>
        <translation>gleitende Mittel</translation>
    </message>
    <message>
        <source>raw weights</source>
        <translation>rohe Gewichte</translation>
    </message>
    <message>
        <source>{} of {} tensors of {}{}{}{}</source>
        <translation>{} von {} Tensoren aus {}{}{}{}</translation>
    </message>
    <message>
        <source>, whose names begin with {}</source>
        <translation>, deren Namen mit {} beginnen</translation>
    </message>
    <message>
        <source>, {} begin{} anew</source>
        <translation>, {0} neu</translation>
    </message>
    <message>
        <source>begins anew: {}: {}</source>
        <translation>beginnt neu: {}: {}</translation>
    </message>
    <message>
        <source>begins anew, </source>
        <translation>beginnt neu, </translation>
    </message>
    <message>
        <source>{} written, synced, read back and compared in {:.2f} s</source>
        <translation>{} geschrieben, gesichert, zurückgelesen und verglichen in {} s</translation>
    </message>
    <message>
        <source>the file system does not tell</source>
        <translation>das Dateisystem sagt es nicht</translation>
    </message>
    <message>
        <source>{} free; {:.0f} checkpoints take {}, store and events up to {}, in {}</source>
        <translation>{} frei; {} Checkpoints brauchen {}, Speicher des Laufs und Ereignisse bis zu {}, in {}</translation>
    </message>
    <message>
        <source>{}: not even two checkpoints fit; make room or choose another disk</source>
        <translation>{}: nicht einmal zwei Checkpoints passen; schaffen Sie Platz, oder wählen Sie eine andere Platte</translation>
    </message>
    <message>
        <source>: make room, or lower checkpoint.keep or raise events.every_steps</source>
        <translation>: schaffen Sie Platz, oder senken Sie checkpoint.keep, oder erhöhen Sie events.every_steps</translation>
    </message>
    <message>
        <source>{}: {} training and {} test examples, labels and sizes as they should be</source>
        <translation>{}: {} Trainings- und {} Testbeispiele, Labels und Größen, wie sie sein sollen</translation>
    </message>
    <message>
        <source>; {} classes have no training example</source>
        <translation>; {} Klassen haben kein Trainingsbeispiel</translation>
    </message>
    <message>
        <source>: most of the network begins at random weights; is it the same network?</source>
        <translation>: das meiste des Netzes beginnt mit zufälligen Gewichten; ist es dasselbe Netz?</translation>
    </message>
    <message>
        <source>{} × {} examples take {}</source>
        <translation>{} × {} Beispiele brauchen {}</translation>
    </message>
    <message>
        <source>; {} left on {}</source>
        <translation>; {} frei auf {}</translation>
    </message>
    <message>
        <source>; {} of memory left</source>
        <translation>; {} Speicher frei</translation>
    </message>
    <message>
        <source>: take a smaller batch or fewer towers</source>
        <translation>: nehmen Sie einen kleineren Batch oder weniger Tower</translation>
    </message>
    <message>
        <source>; then </source>
        <translation>; dann </translation>
    </message>
    <message>
        <source>; {} is {:.0f} % busy already, another program uses it</source>
        <translation>; {} ist schon zu {} % beschäftigt, ein anderes Programm nutzt es</translation>
    </message>
    <message>
        <source>; towers × threads = {} × {}, processors = {}</source>
        <translation>; Tower × Threads = {} × {}, Prozessoren = {}</translation>
    </message>
    <message>
        <source>: they take turns</source>
        <translation>: sie wechseln sich ab</translation>
    </message>
    <message>
        <source>; not bound to cores: {}</source>
        <translation>; nicht an Kerne gebunden: {}</translation>
    </message>
    <message>
        <source>{}: the checkpoint is of model &apos;{}&apos;, not of &apos;{}&apos;</source>
        <translation>{}: der Checkpoint ist vom Modell „{}“, nicht von „{}“</translation>
    </message>
    <message>
        <source>{}: the file of model &apos;{}&apos; was changed since (its SHA-256 was {}): put it back, or train a new run with the weights of this checkpoint (fine-tuning)</source>
        <translation>{}: die Datei des Modells „{}“ wurde seither geändert (ihre SHA-256 war {}): stellen Sie sie wieder her, oder trainieren Sie einen neuen Lauf mit den Gewichten dieses Checkpoints (Feinabstimmung)</translation>
    </message>
    <message>
        <source>{} examples now, {} then</source>
        <translation>{} Beispiele jetzt, {} damals</translation>
    </message>
    <message>
        <source>{} examples as then, but other names or labels</source>
        <translation>{} Beispiele wie damals, aber andere Namen oder Klassen</translation>
    </message>
    <message>
        <source>steps is {}, but {} has made {} already; choose more</source>
        <translation>steps ist {}, aber {} hat schon {} gemacht; wählen Sie mehr</translation>
    </message>
    <message>
        <source>{}: the checkpoint is of another run than {}; start a new run from it, in another folder</source>
        <translation>{}: der Checkpoint ist von einem anderen Lauf als {}; beginnen Sie mit ihm einen neuen Lauf, in einem anderen Ordner</translation>
    </message>
    <message>
        <source>{} can&apos;t be changed from &apos;{}&apos; to &apos;{}&apos;: {}; train a new run, with the weights of this checkpoint if you like (fine-tuning)</source>
        <translation>{} lässt sich nicht von „{}“ auf „{}“ ändern: {}; trainieren Sie einen neuen Lauf, wenn Sie wollen mit den Gewichten dieses Checkpoints (Feinabstimmung)</translation>
    </message>
    <message>
        <source>its weights are of another network</source>
        <translation>seine Gewichte sind von einem anderen Netz</translation>
    </message>
    <message>
        <source>the [model] table can&apos;t be changed: the run would go on as another network; train a new run, with the weights of this checkpoint if you like (fine-tuning)</source>
        <translation>die Tabelle [model] lässt sich nicht ändern: der Lauf ginge als anderes Netz weiter; trainieren Sie einen neuen Lauf, wenn Sie wollen mit den Gewichten dieses Checkpoints (Feinabstimmung)</translation>
    </message>
    <message>
        <source>its state means nothing to another optimizer</source>
        <translation>sein Zustand bedeutet einem anderen Optimierer nichts</translation>
    </message>
    <message>
        <source>the run would go on in the middle of another stream of examples</source>
        <translation>der Lauf ginge mitten in einer anderen Folge von Beispielen weiter</translation>
    </message>
    <message>
        <source>the run would be tested on images that it has trained on</source>
        <translation>der Lauf würde an Bildern getestet, mit denen er trainiert hat</translation>
    </message>
    <message>
        <source>the run would go on with other labels</source>
        <translation>der Lauf ginge mit anderen Labels weiter</translation>
    </message>
    <message>
        <source>the [initial_weights] table can&apos;t be changed: the run has begun with what it says; train a new run with other weights (fine-tuning)</source>
        <translation>die Tabelle [initial_weights] lässt sich nicht ändern: der Lauf hat mit dem begonnen, was sie sagt; trainieren Sie einen neuen Lauf mit anderen Gewichten (Feinabstimmung)</translation>
    </message>
    <message>
        <source>the order of the examples and every random number come from it</source>
        <translation>die Reihenfolge der Beispiele und jede Zufallszahl kommen daher</translation>
    </message>
    <message>
        <source>running moments decay by {} at most, by less in the first steps</source>
        <translation>die laufenden Momente fallen um höchstens {} ab, in den ersten Schritten um weniger</translation>
    </message>
    <message>
        <source>running moments decay by {}: after {} steps {:.2g} % of what they began with is left</source>
        <translation>die laufenden Momente fallen um {} ab: nach {} Schritten sind {} % dessen übrig, womit sie begannen</translation>
    </message>
    <message>
        <source>, and evaluations are off by as much; set model.moment_ramp = true, lower model.moment_decay, or train for longer</source>
        <translation>, und um so viel liegen Auswertungen daneben; setzen Sie model.moment_ramp = true, senken Sie model.moment_decay, oder trainieren Sie länger</translation>
    </message>
    <message>
        <source>data set {}, {} example {}: label {}, but the model tells {} classes apart</source>
        <translation>Datensatz {}, {}, Beispiel {}: Klasse {}, aber das Modell unterscheidet {} Klassen</translation>
    </message>
    <message>
        <source>data set {}, {} example {}: {} bytes instead of {}</source>
        <translation>Datensatz {}, {}, Beispiel {}: {} Bytes statt {}</translation>
    </message>
    <message>
        <source>there is no memory left</source>
        <translation>es ist kein Speicher mehr frei</translation>
    </message>
    <message>
        <source>{}: nothing more is recorded for TensorBoard</source>
        <translation>{}: für TensorBoard wird nichts mehr aufgezeichnet</translation>
    </message>
    <message>
        <source>with a lower learning rate (it is {} in this phase)</source>
        <translation>mit kleinerer Lernrate (in dieser Phase ist sie {})</translation>
    </message>
    <message>
        <source>with a lower learning rate (learning_rate.initial is {}{})</source>
        <translation>mit kleinerer Lernrate (learning_rate.initial ist {}{})</translation>
    </message>
    <message>
        <source>, which the decays have made {:.6g} at step {}</source>
        <translation>, woraus die Abfälle {} gemacht haben, in Schritt {}</translation>
    </message>
    <message>
        <source>when the device works again, or on another one</source>
        <translation>wenn das Gerät wieder arbeitet, oder auf einem anderen</translation>
    </message>
    <message>
        <source>. The last good checkpoint is {}; resume from it {}</source>
        <translation>. Der letzte gute Checkpoint ist {}; setzen Sie von ihm fort {}</translation>
    </message>
    <message>
        <source>{}: other programs can&apos;t control this run</source>
        <translation>{}: andere Programme können diesen Lauf nicht steuern</translation>
    </message>
    <message>
        <source>the learning rate is {}, but must be a number of 0 or more</source>
        <translation>die Lernrate ist {}, muss aber eine Zahl von 0 oder mehr sein</translation>
    </message>
    <message>
        <source>steps is {}, but {} are made already; choose more</source>
        <translation>steps ist {}, aber {} sind schon gemacht; wählen Sie mehr</translation>
    </message>
    <message>
        <source>the run ends: its learning rate is not changed any more</source>
        <translation>der Lauf endet: seine Lernrate wird nicht mehr geändert</translation>
    </message>
    <message>
        <source>the learning rate is {} instead of {} from step {} on; the state before is kept in {} (pinned)</source>
        <translation>die Lernrate ist {} statt {} ab Schritt {}; der Zustand davor bleibt in {} (angeheftet)</translation>
    </message>
    <message>
        <source>the learning rate stays {}: {}</source>
        <translation>die Lernrate bleibt {}: {}</translation>
    </message>
    <message>
        <source>the run ends: its number of steps is not changed any more; continue it with more</source>
        <translation>der Lauf endet: seine Schrittzahl wird nicht mehr geändert; setzen Sie ihn mit mehr fort</translation>
    </message>
    <message>
        <source>the run goes on until step {} instead of {}</source>
        <translation>der Lauf geht bis Schritt {} statt {}</translation>
    </message>
    <message>
        <source>the steps stay {}: {}</source>
        <translation>die Schrittzahl bleibt {}: {}</translation>
    </message>
    <message>
        <source>the run does not stop at the end of the epoch any more</source>
        <translation>der Lauf stoppt nicht mehr am Ende der Epoche</translation>
    </message>
    <message>
        <source>the run stops after step {}, at the end of epoch {}</source>
        <translation>der Lauf stoppt nach Schritt {}, am Ende von Epoche {}</translation>
    </message>
    <message>
        <source>{}: a run is there already; go on with it (--resume) or choose another folder</source>
        <translation>{}: hier ist schon ein Lauf; setzen Sie ihn fort (--resume), oder wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>checkpoint.best_by is {}, but model &apos;{}&apos; does not detect; use accuracy or loss</source>
        <translation>checkpoint.best_by ist {}, aber das Modell „{}“ findet nichts; nehmen Sie accuracy oder loss</translation>
    </message>
    <message>
        <source>checkpoint.best_by is {}, but model &apos;{}&apos; does not tell more than {} classes apart; use accuracy or loss</source>
        <translation>checkpoint.best_by ist {}, aber das Modell „{}“ unterscheidet nicht mehr als {} Klassen; nehmen Sie accuracy oder loss</translation>
    </message>
    <message>
        <source>there is no checkpoint to resume from: starting at step 0</source>
        <translation>es gibt keinen Checkpoint, von dem fortzusetzen wäre: Beginn bei Schritt 0</translation>
    </message>
    <message>
        <source>fine-tuning: </source>
        <translation>Feinabstimmung: </translation>
    </message>
    <message>
        <source>the run goes on: step {} is done, after {:.0f} s</source>
        <translation>der Lauf geht weiter: Schritt {} ist fertig, nach {} s</translation>
    </message>
    <message>
        <source>it has been writing a checkpoint for {:.0f} s: look at the disk of {}</source>
        <translation>er schreibt seit {} s einen Checkpoint: sehen Sie nach der Platte von {}</translation>
    </message>
    <message>
        <source>no step has been done for {:.0f} s: look at the disk of the data set, and at the devices</source>
        <translation>seit {} s ist kein Schritt fertig: sehen Sie nach der Platte des Datensatzes und nach den Geräten</translation>
    </message>
    <message>
        <source>the run seems to be stuck after step {}: {}</source>
        <translation>der Lauf scheint nach Schritt {} festzuhängen: {}</translation>
    </message>
    <message>
        <source>{} free in {}, a checkpoint takes {}</source>
        <translation>{} frei in {}, ein Checkpoint braucht {}</translation>
    </message>
    <message>
        <source>the disk is nearly full: {}; make room</source>
        <translation>die Platte ist fast voll: {}; schaffen Sie Platz</translation>
    </message>
    <message>
        <source>there is room again: </source>
        <translation>es ist wieder Platz: </translation>
    </message>
    <message>
        <source>; the data set lies on the device</source>
        <translation>; der Datensatz liegt auf dem Gerät</translation>
    </message>
    <message>
        <source>; the host feeds the data set</source>
        <translation>; der Rechner liefert die Daten</translation>
    </message>
    <message>
        <source>{} threads a tower, {} at work, {}{}</source>
        <translation>{} Threads pro Tower, {} bei der Arbeit, {}{}</translation>
    </message>
    <message>
        <source>bound to cores that share a cache</source>
        <translation>an Kerne gebunden, die einen Cache teilen</translation>
    </message>
    <message>
        <source>not bound to cores ({})</source>
        <translation>nicht an Kerne gebunden ({})</translation>
    </message>
    <message>
        <source>: more towers than processors, they take turns</source>
        <translation>: mehr Tower als Prozessoren, sie wechseln sich ab</translation>
    </message>
    <message>
        <source>internal error: the nodes of an accelerator can&apos;t be timed</source>
        <translation>Interner Fehler: die Knoten eines Beschleunigers lassen sich nicht messen</translation>
    </message>
    <message>
        <source>experiment.delay_ms is {}, but {} runs ahead of the host, which can&apos;t put a tower to sleep: set device to cpu, or the delay to 0</source>
        <translation>experiment.delay_ms ist {}, aber {} läuft dem Rechner voraus, der dort keinen Tower schlafen lassen kann: setzen Sie device auf cpu, oder die Verzögerung auf 0</translation>
    </message>
    <message>
        <source>towers {} to {}</source>
        <translation>Tower {} bis {}</translation>
    </message>
    <message>
        <source>{} ({}): the step can&apos;t be captured and is enqueued anew each time, which may be slower: {}</source>
        <translation>{} ({}): der Schritt lässt sich nicht aufzeichnen und wird jedes Mal neu eingereiht, was langsamer sein kann: {}</translation>
    </message>
    <message>
        <source>{}{}: {} of the towers</source>
        <translation>{}{}: {} der Tower</translation>
    </message>
    <message>
        <source>model {} ({} parameters), data set {} ({} training examples)</source>
        <translation>Modell {} ({} Parameter), Datensatz {} ({} Trainingsbeispiele)</translation>
    </message>
    <message>
        <source>device {}: {}, {}; {}</source>
        <translation>Gerät {}: {}, {}; {}</translation>
    </message>
    <message>
        <source>algorithms: {} as they were measured before, {} measured now, in {:.1f} s</source>
        <translation>Algorithmen: {} wie früher gemessen, {} jetzt gemessen, in {} s</translation>
    </message>
    <message>
        <source>threads: {} a tower, measured: {}</source>
        <translation>Threads: {} pro Tower, gemessen: {}</translation>
    </message>
    <message>
        <source>A check of the last tower&apos;s loss after the update, as the classic scripts make it, would have seen it too late for the weights</source>
        <translation>Eine Prüfung des Loss des letzten Towers nach dem Update, wie die klassischen Skripte sie machen, hätte ihn für die Gewichte zu spät gesehen</translation>
    </message>
    <message>
        <source>A check for NaN of the last tower&apos;s loss alone would have passed this step and applied the update{}; it could have seen the fault at step {} at the earliest</source>
        <translation>Eine Prüfung nur des Loss des letzten Towers auf NaN hätte diesen Schritt durchgelassen und das Update angewandt{}; sie hätte den Fehler frühestens in Schritt {} sehen können</translation>
    </message>
    <message>
        <source>, and checkpoint {} would have been saved with it</source>
        <translation>, und der Checkpoint {} wäre damit gesichert worden</translation>
    </message>
    <message>
        <source>the update was not applied</source>
        <translation>das Update wurde nicht angewandt</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>the averaged gradient</source>
        <translation>der gemittelte Gradient</translation>
    </message>
    <message>
        <source>step {}, {} of &apos;{}&apos; is not finite; {}. {}</source>
        <translation>Schritt {}, {} von „{}“ ist nicht endlich; {}. {}</translation>
    </message>
    <message>
        <source>precision {} is not supported on {} ({}){}; use float32</source>
        <translation>die Präzision {} gibt es auf {} nicht ({}){}; nehmen Sie float32</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; has {} objectives, but at most {} are possible</source>
        <translation>das Modell „{}“ hat {} Ziele, möglich sind höchstens {}</translation>
    </message>
    <message>
        <source>phase.{}: {}</source>
        <translation>phase.{}: {}</translation>
    </message>
    <message>
        <source>the checkpoint does not fit model &apos;{}&apos; as it is now</source>
        <translation>der Checkpoint passt nicht zum Modell „{}“, wie es jetzt ist</translation>
    </message>
    <message>
        <source>the checkpoint is of model &apos;{}&apos;, not of &apos;{}&apos;</source>
        <translation>der Checkpoint ist vom Modell „{}“, nicht von „{}“</translation>
    </message>
    <message>
        <source>{}: it has no tensor &apos;{}&apos;</source>
        <translation>{}: er hat keinen Tensor „{}“</translation>
    </message>
    <message>
        <source>{}: its tensor &apos;{}&apos; has the shape [{}] instead of [{}]</source>
        <translation>{}: sein Tensor „{}“ hat die Form [{}] statt [{}]</translation>
    </message>
    <message>
        <source>{}: it has {} tensors instead of {}</source>
        <translation>{}: er hat {} Tensoren statt {}</translation>
    </message>
    <message>
        <source>the checkpoint is of another optimizer: it has no tensors &apos;optimizer.{}.*&apos;; train a new run with its weights (fine-tuning)</source>
        <translation>der Checkpoint ist von einem anderen Optimierer: er hat keine Tensoren „optimizer.{}.*“; trainieren Sie einen neuen Lauf mit seinen Gewichten (Feinabstimmung)</translation>
    </message>
    <message>
        <source>{}: not a whole Lockstep checkpoint: no field &apos;{}&apos;</source>
        <translation>{}: kein ganzer Checkpoint von Lockstep: kein Feld „{}“</translation>
    </message>
    <message>
        <source>{}: field &apos;{}&apos; is &apos;{}&apos;, not a count</source>
        <translation>{}: das Feld „{}“ ist „{}“, keine Anzahl</translation>
    </message>
    <message>
        <source>{}: checkpoint of version {}, this program reads version {}</source>
        <translation>{}: Checkpoint der Version {}, dieses Programm liest Version {}</translation>
    </message>
    <message>
        <source>{}: tensor &apos;{}&apos; is not of type F32</source>
        <translation>{}: der Tensor „{}“ ist nicht vom Typ F32</translation>
    </message>
    <message>
        <source>{}: tensor &apos;{}{}&apos; is missing, superfluous or of another shape</source>
        <translation>{}: der Tensor „{}{}“ fehlt, ist überzählig oder hat eine andere Form</translation>
    </message>
    <message>
        <source>the checkpoint of step {} has no moving averages; export the raw weights</source>
        <translation>der Checkpoint von Schritt {} hat keine gleitenden Mittel; exportieren Sie die rohen Gewichte</translation>
    </message>
    <message>
        <source>{}: can&apos;t {} it ({})</source>
        <translation>{}: {} ist nicht möglich ({})</translation>
    </message>
    <message>
        <source>list</source>
        <translation>Auflisten</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>{}: not a checkpoint file of a run (step-….safetensors)</source>
        <translation>{}: keine Checkpoint-Datei eines Laufs (step-….safetensors)</translation>
    </message>
    <message>
        <source>skipped a checkpoint: {}</source>
        <translation>ein Checkpoint wurde übergangen: {}</translation>
    </message>
    <message>
        <source>checkpoint.keep is {}: keep at least 1 checkpoint</source>
        <translation>checkpoint.keep ist {}: behalten Sie mindestens 1 Checkpoint</translation>
    </message>
    <message>
        <source>checkpoint.keep_best is {}, but must be at least 0</source>
        <translation>checkpoint.keep_best ist {}, muss aber mindestens 0 sein</translation>
    </message>
    <message>
        <source>look at</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>{}: what was read back is not what was written: choose another disk</source>
        <translation>{}: zurückgelesen wurde etwas anderes als geschrieben: wählen Sie eine andere Platte</translation>
    </message>
    <message>
        <source>set aside</source>
        <translation>Beiseitelegen</translation>
    </message>
    <message>
        <source>{}: can&apos;t read it ({})</source>
        <translation>{}: nicht lesbar ({})</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>keine Datei</translation>
    </message>
    <message>
        <source>{}: can&apos;t read it{}</source>
        <translation>{}: nicht lesbar{}</translation>
    </message>
    <message>
        <source>{}: only {} bytes, not a safetensors file; use another copy of the file</source>
        <translation>{}: nur {} Bytes, keine safetensors-Datei; nehmen Sie eine andere Kopie der Datei</translation>
    </message>
    <message>
        <source>{}: damaged or truncated: a header of {} bytes in a file of {}; use another copy of the file</source>
        <translation>{}: beschädigt oder abgeschnitten: ein Kopf von {} Bytes in einer Datei von {}; nehmen Sie eine andere Kopie der Datei</translation>
    </message>
    <message>
        <source>{}: tensor &apos;{}&apos; is damaged (its checksum differs); use another copy of the file</source>
        <translation>{}: der Tensor „{}“ ist beschädigt (seine Prüfsumme stimmt nicht); nehmen Sie eine andere Kopie der Datei</translation>
    </message>
    <message>
        <source>{}: damaged header: {}; use another copy of the file</source>
        <translation>{}: Kopf beschädigt: {}; nehmen Sie eine andere Kopie der Datei</translation>
    </message>
    <message>
        <source>{}: tensor &apos;{}&apos;: {}; use another copy of the file</source>
        <translation>{}: Tensor „{}“: {}; nehmen Sie eine andere Kopie der Datei</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>&apos;{}&apos; comes twice</source>
        <translation>„{}“ kommt zweimal vor</translation>
    </message>
    <message>
        <source>it does not begin with &apos;{&apos;</source>
        <translation>er beginnt nicht mit &apos;{&apos;</translation>
    </message>
    <message>
        <source>its checksum differs</source>
        <translation>seine Prüfsumme stimmt nicht</translation>
    </message>
    <message>
        <source>{} is not an object</source>
        <translation>{} ist kein Objekt</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; is not a text</source>
        <translation>{}: „{}“ ist kein Text</translation>
    </message>
    <message>
        <source>{} is not a size</source>
        <translation>{} ist keine Größe</translation>
    </message>
    <message>
        <source>it has other fields than dtype, shape and two data_offsets</source>
        <translation>er hat andere Felder als dtype, shape und zwei data_offsets</translation>
    </message>
    <message>
        <source>its shape needs {} bytes, it has {}</source>
        <translation>seine Form braucht {} Bytes, er hat {}</translation>
    </message>
    <message>
        <source>its shape is impossibly large</source>
        <translation>seine Form ist unmöglich groß</translation>
    </message>
    <message>
        <source>{}: there is an event file already; choose another folder</source>
        <translation>{}: es gibt schon eine Ereignisdatei; wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>{}: can&apos;t make the folder ({})</source>
        <translation>{}: der Ordner lässt sich nicht anlegen ({})</translation>
    </message>
    <message>
        <source>write, or cut what was written off again,</source>
        <translation>Schreiben oder Zurücknehmen</translation>
    </message>
    <message>
        <source>its length does not match its checksum</source>
        <translation>seine Länge passt nicht zu ihrer Prüfsumme</translation>
    </message>
    <message>
        <source>it does not match its checksum</source>
        <translation>er passt nicht zu seiner Prüfsumme</translation>
    </message>
    <message>
        <source>it is not an event</source>
        <translation>er ist kein Ereignis</translation>
    </message>
    <message>
        <source>{}: the record at byte {} is damaged ({}); take the file out of its folder to go on without it</source>
        <translation>{}: der Eintrag bei Byte {} ist beschädigt ({}); nehmen Sie die Datei aus ihrem Ordner, um ohne sie weiterzumachen</translation>
    </message>
    <message>
        <source>{}: can&apos;t read the folder ({})</source>
        <translation>{}: der Ordner ist nicht lesbar ({})</translation>
    </message>
    <message>
        <source>{}: it has become shorter while it was read</source>
        <translation>{}: sie ist beim Lesen kürzer geworden</translation>
    </message>
    <message>
        <source>a row of the table classification is damaged</source>
        <translation>eine Zeile der Tabelle classification ist beschädigt</translation>
    </message>
    <message>
        <source>the gradients of step {}</source>
        <translation>die Gradienten von Schritt {}</translation>
    </message>
    <message>
        <source>branch {} has {} towers</source>
        <translation>Zweig {} hat {} Tower</translation>
    </message>
    <message>
        <source>{} of its {} branches are missing</source>
        <translation>{} seiner {} Zweige fehlen</translation>
    </message>
    <message>
        <source>{}: not a run store of Lockstep</source>
        <translation>{}: kein Speicher eines Laufs von Lockstep</translation>
    </message>
    <message>
        <source>step {} of branch {} is missing</source>
        <translation>Schritt {} von Zweig {} fehlt</translation>
    </message>
    <message>
        <source>step {} of branch {}</source>
        <translation>Schritt {} von Zweig {}</translation>
    </message>
    <message>
        <source>a row of the table {}</source>
        <translation>eine Zeile der Tabelle {}</translation>
    </message>
    <message>
        <source>{}: the run store can&apos;t be used: {}</source>
        <translation>{}: der Speicher des Laufs ist nicht nutzbar: {}</translation>
    </message>
    <message>
        <source>{}: the run store is damaged: {}. The checkpoints beside it are not: move this file away and resume the run, which then goes on with a new store</source>
        <translation>{}: der Speicher des Laufs ist beschädigt: {}. Die Checkpoints daneben sind es nicht: legen Sie diese Datei beiseite und setzen Sie den Lauf fort, der dann mit einem neuen Speicher weitergeht</translation>
    </message>
    <message>
        <source>{}: the run store can&apos;t be written: it is read-only, or its disk is</source>
        <translation>{}: in den Speicher des Laufs lässt sich nicht schreiben: er oder seine Platte ist schreibgeschützt</translation>
    </message>
    <message>
        <source>the CSV output can&apos;t be written; is the disk full?</source>
        <translation>die CSV-Ausgabe lässt sich nicht schreiben; ist die Platte voll?</translation>
    </message>
    <message>
        <source>{}: can&apos;t {} the run folder ({}); choose another one</source>
        <translation>{}: {} im Ordner des Laufs ist nicht möglich ({}); wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>look into</source>
        <translation>Nachsehen</translation>
    </message>
    <message>
        <source>{}: a run is already there; go on with it (--resume), or choose another folder</source>
        <translation>{}: hier ist schon ein Lauf; setzen Sie ihn fort (--resume), oder wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>{}: not an empty folder; choose another one for the run</source>
        <translation>{}: kein leerer Ordner; wählen Sie einen anderen für den Lauf</translation>
    </message>
    <message>
        <source>write to</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>{}: no run to continue (there is no run.toml)</source>
        <translation>{}: hier ist kein Lauf, der fortgesetzt werden könnte (es gibt kein run.toml)</translation>
    </message>
    <message>
        <source>no folder for runs: set HOME, or name one with --run</source>
        <translation>kein Ordner für Läufe: setzen Sie HOME, oder nennen Sie einen mit --run</translation>
    </message>
    <message>
        <source>{}: can&apos;t write to the run folder{}</source>
        <translation>{}: in den Ordner des Laufs lässt sich nicht schreiben{}</translation>
    </message>
    <message>
        <source>{}: process {} is writing this run; wait for it, or choose another run folder</source>
        <translation>{}: Prozess {} schreibt diesen Lauf; warten Sie auf ihn, oder wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>{}: can&apos;t lock the run folder{}</source>
        <translation>{}: der Ordner des Laufs lässt sich nicht sperren{}</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a result of a check</source>
        <translation>„{}“ ist kein Ergebnis einer Prüfung</translation>
    </message>
    <message>
        <source>{}: can&apos;t look for the run store ({})</source>
        <translation>{}: nach dem Speicher des Laufs lässt sich nicht sehen ({})</translation>
    </message>
    <message>
        <source>{}: the run store does not exist</source>
        <translation>{}: den Speicher des Laufs gibt es nicht</translation>
    </message>
    <message>
        <source>steps {} to {} are missing: the run ended before they were written</source>
        <translation>die Schritte {} bis {} fehlen: der Lauf endete, bevor sie geschrieben waren</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: {}</source>
        <translation>Schicht „{}“: {}</translation>
    </message>
    <message>
        <source> forward</source>
        <translation> vorwärts</translation>
    </message>
    <message>
        <source> backward</source>
        <translation> rückwärts</translation>
    </message>
    <message>
        <source>, Nesterov&apos;s</source>
        <translation>, nach Nesterov</translation>
    </message>
    <message>
        <source>{}, decay {}, momentum {}, epsilon {}</source>
        <translation>{}, Abfall {}, Momentum {}, Epsilon {}</translation>
    </message>
    <message>
        <source>{}, beta1 {}, beta2 {}, epsilon {} as {}</source>
        <translation>{}, Beta1 {}, Beta2 {}, Epsilon {} wie {}</translation>
    </message>
    <message>
        <source>device auto: the towers run on the CPU ({})</source>
        <translation>Gerät auto: die Tower laufen auf der CPU ({})</translation>
    </message>
    <message>
        <source>generated images</source>
        <translation>erzeugte Bilder</translation>
    </message>
    <message>
        <source>finished at step {}</source>
        <translation>fertig bei Schritt {}</translation>
    </message>
    <message>
        <source>stopped at step {}</source>
        <translation>gestoppt bei Schritt {}</translation>
    </message>
    <message>
        <source>resumed from {}</source>
        <translation>fortgesetzt von {}</translation>
    </message>
    <message>
        <source>a new run, begun from {}</source>
        <translation>ein neuer Lauf, begonnen von {}</translation>
    </message>
    <message>
        <source>0: not by steps; at step 0 and at the end always</source>
        <translation>0: nicht nach Schritten; bei Schritt 0 und am Ende immer</translation>
    </message>
    <message>
        <source>save as well when the newest checkpoint is so old; 0: never</source>
        <translation>auch sichern, wenn der neueste Checkpoint so alt ist; 0: nie</translation>
    </message>
    <message>
        <source>it overlaps another tensor, or leaves a gap before it</source>
        <translation>er überlappt einen anderen Tensor, oder lässt eine Lücke vor sich</translation>
    </message>
    <message>
        <source>{}: the file is {}: {} bytes of data instead of {}; use another copy of it</source>
        <translation>{}: die Datei ist {}: {} Bytes Daten statt {}; nehmen Sie eine andere Kopie davon</translation>
    </message>
    <message>
        <source>cut short</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>zu lang</translation>
    </message>
    <message>
        <source>device &apos;{}&apos;: {} ranks run on this machine, but there are {} GPUs for them: start fewer ranks here</source>
        <translation>Gerät „{}“: {} Ränge laufen auf diesem Rechner, aber für sie gibt es {} GPUs: starten Sie hier weniger Ränge</translation>
    </message>
    <message>
        <source>this MPI can&apos;t be used by several threads (MPI_THREAD_MULTIPLE): use one that can, such as Open MPI 4</source>
        <translation>dieses MPI kann nicht von mehreren Threads benutzt werden (MPI_THREAD_MULTIPLE): nehmen Sie eines, das es kann, etwa Open MPI 4</translation>
    </message>
    <message>
        <source>joining the ranks</source>
        <translation>beim Verbinden der Ränge</translation>
    </message>
    <message>
        <source>rank {} on {}</source>
        <translation>Rang {} auf {}</translation>
    </message>
    <message>
        <source>telling all</source>
        <translation>beim Verteilen an alle</translation>
    </message>
    <message>
        <source>comparing the clocks</source>
        <translation>beim Vergleichen der Uhren</translation>
    </message>
    <message>
        <source>sending gradients</source>
        <translation>beim Senden der Gradienten</translation>
    </message>
    <message>
        <source>receiving gradients</source>
        <translation>beim Empfangen der Gradienten</translation>
    </message>
    <message>
        <source>exchanging gradients</source>
        <translation>beim Austauschen der Gradienten</translation>
    </message>
    <message>
        <source>{} is gone: its process has ended</source>
        <translation>{} ist weg: sein Prozess ist beendet</translation>
    </message>
    <message>
        <source>{} is lost: nothing was heard of it for {:.1f} s</source>
        <translation>{} ist verloren: seit {:.1f} s war nichts von ihm zu hören</translation>
    </message>
    <message>
        <source>install Open MPI (libopenmpi-dev) and build Lockstep again, or start it without a launcher</source>
        <translation>installieren Sie Open MPI (libopenmpi-dev) und bauen Sie Lockstep neu, oder starten Sie es ohne Launcher</translation>
    </message>
    <message>
        <source>a launcher started several processes, but this build has no MPI half ({} is not beside the program): {}</source>
        <translation>ein Launcher hat mehrere Prozesse gestartet, aber diesem Build fehlt die MPI-Hälfte ({} liegt nicht neben dem Programm): {}</translation>
    </message>
    <message>
        <source>{} can&apos;t be opened ({}): {}</source>
        <translation>{} lässt sich nicht öffnen ({}): {}</translation>
    </message>
    <message>
        <source>the launcher started {} processes, but {} knows of {}: use the launcher of this MPI, or with Slurm srun --mpi=pmix</source>
        <translation>der Launcher hat {} Prozesse gestartet, aber {} weiß von {}: nehmen Sie den Launcher dieses MPI, oder unter Slurm srun --mpi=pmix</translation>
    </message>
    <message>
        <source>{} differs from {}: it has {} instead of {}; start all ranks with the same program, options, data and number of devices</source>
        <translation>{} unterscheidet sich von {}: dort steht {} statt {}; starten Sie alle Ränge mit demselben Programm, denselben Optionen, Daten und gleich vielen Geräten</translation>
    </message>
    <message>
        <source>link is &apos;{}&apos;: give {}, or its latency and bandwidth</source>
        <translation>link ist „{}“: geben Sie {} an, oder Latenz und Bandbreite</translation>
    </message>
    <message>
        <source>link latency is &apos;{}&apos;: give a time and its unit (us, ms or s), like 50us or 0.2ms</source>
        <translation>link latency ist „{}“: geben Sie eine Zeit mit Einheit an (us, ms oder s), etwa 50us oder 0.2ms</translation>
    </message>
    <message>
        <source>link bandwidth is &apos;{}&apos;: give a rate above 0 and its unit (Mbit, Gbit, MB/s or GB/s), like 1Gbit or 117MB/s</source>
        <translation>link bandwidth ist „{}“: geben Sie eine Rate über 0 mit Einheit an (Mbit, Gbit, MB/s oder GB/s), etwa 1Gbit oder 117MB/s</translation>
    </message>
    <message>
        <source>towers per rank is {}: give 1 or more</source>
        <translation>Tower je Rang ist {}: geben Sie mindestens 1 an</translation>
    </message>
    <message>
        <source>a piece has {} bytes: give more than 0</source>
        <translation>ein Stück hat {} Bytes: geben Sie mehr als 0 an</translation>
    </message>
    <message>
        <source>exchange is &apos;{}&apos;: give chain or ring</source>
        <translation>exchange ist „{}“: geben Sie chain oder ring an</translation>
    </message>
    <message>
        <source>{}needs a whole number, but &apos;{}&apos; is given</source>
        <translation>{}braucht eine ganze Zahl, angegeben ist „{}“</translation>
    </message>
    <message>
        <source>the masks of a running training are not of the size that they tell</source>
        <translation>die Masken eines laufenden Trainings haben nicht die Größe, die sie angeben</translation>
    </message>
    <message>
        <source>the masks of a running training can&apos;t be read: {}</source>
        <translation>die Masken eines laufenden Trainings sind nicht lesbar: {}</translation>
    </message>
    <message>
        <source>no process can be started for the training{}</source>
        <translation>für das Training kann kein Prozess gestartet werden{}</translation>
    </message>
    <message>
        <source>there is not enough memory for this run</source>
        <translation>für diesen Lauf ist nicht genug Speicher da</translation>
    </message>
    <message>
        <source>this is not the request of a run: {}</source>
        <translation>das ist nicht die Anforderung eines Laufs: {}</translation>
    </message>
    <message>
        <source>lockstep-train: </source>
        <translation>lockstep-train: </translation>
    </message>
    <message>
        <source>no training can be started: no memory for its request{}</source>
        <translation>kein Training kann gestartet werden: kein Speicher für seine Anforderung{}</translation>
    </message>
    <message>
        <source>{}: the program that trains can&apos;t be started ({}); it belongs beside this one</source>
        <translation>{}: das Programm, das trainiert, lässt sich nicht starten ({}); es gehört neben dieses</translation>
    </message>
    <message>
        <source>no training can be started: no pipe for its answer{}</source>
        <translation>kein Training kann gestartet werden: keine Pipe für seine Antwort{}</translation>
    </message>
    <message>
        <source>the training was cancelled before it began</source>
        <translation>das Training wurde abgebrochen, bevor es begann</translation>
    </message>
    <message>
        <source>the training&apos;s process ended before its run was up: {}</source>
        <translation>der Prozess des Trainings endete, bevor sein Lauf bereit war: {}</translation>
    </message>
    <message>
        <source>it said nothing; perhaps the memory was not enough</source>
        <translation>er sagte nichts; vielleicht reichte der Speicher nicht</translation>
    </message>
    <message>
        <source>{}: can&apos;t read its first {} bytes{}</source>
        <translation>{}: die ersten {} Bytes sind nicht lesbar{}</translation>
    </message>
    <message>
        <source>what came over the line is damaged</source>
        <translation>was über die Leitung kam, ist beschädigt</translation>
    </message>
    <message>
        <source>the line is gone</source>
        <translation>die Leitung ist weg</translation>
    </message>
    <message>
        <source>what came over the line is not from lockstep-train</source>
        <translation>was über die Leitung kam, ist nicht von lockstep-train</translation>
    </message>
    <message>
        <source>rows that came over the line are damaged</source>
        <translation>Zeilen, die über die Leitung kamen, sind beschädigt</translation>
    </message>
    <message>
        <source>rows of a table that is not known came over the line</source>
        <translation>über die Leitung kamen Zeilen einer unbekannten Tabelle</translation>
    </message>
    <message>
        <source>a mirror that is not of this program</source>
        <translation>eine Spiegelung, die nicht von diesem Programm ist</translation>
    </message>
    <message>
        <source>{}: the connection was ended</source>
        <translation>{}: die Verbindung wurde beendet</translation>
    </message>
    <message>
        <source>{}: not connected yet; wait a moment</source>
        <translation>{}: noch nicht verbunden; warten Sie einen Moment</translation>
    </message>
    <message>
        <source>not connected just now: {}</source>
        <translation>gerade nicht verbunden: {}</translation>
    </message>
    <message>
        <source>it is not followed any more</source>
        <translation>ihm wird nicht mehr gefolgt</translation>
    </message>
    <message>
        <source>{}: the line was cut before the answer came</source>
        <translation>{}: die Leitung brach ab, bevor die Antwort kam</translation>
    </message>
    <message>
        <source>it does not answer any more</source>
        <translation>er antwortet nicht mehr</translation>
    </message>
    <message>
        <source>nobody trains it any more</source>
        <translation>niemand trainiert ihn mehr</translation>
    </message>
    <message>
        <source>Lockstep {} (protocol {}) is there and {} (protocol {}) here: install the same version on both machines</source>
        <translation>dort ist Lockstep {} (Protokoll {}), hier {} (Protokoll {}): installieren Sie auf beiden Rechnern dieselbe Version</translation>
    </message>
    <message>
        <source>{}: can&apos;t make the folder for what comes over the line ({})</source>
        <translation>{}: der Ordner für das, was über die Leitung kommt, lässt sich nicht anlegen ({})</translation>
    </message>
    <message>
        <source>{}: {}; write it as ssh://[user@]host[:port]/folder/of/runs</source>
        <translation>{}: {}; schreiben Sie es als ssh://[benutzer@]rechner[:port]/ordner/der/läufe</translation>
    </message>
    <message>
        <source>after a % in the path stand two hexadecimal digits</source>
        <translation>nach einem % im Pfad stehen zwei hexadezimale Ziffern</translation>
    </message>
    <message>
        <source>its port is no number from 1 to 65535</source>
        <translation>der Port ist keine Zahl von 1 bis 65535</translation>
    </message>
    <message>
        <source>its host has a [ without a ]</source>
        <translation>der Rechner hat ein [ ohne ]</translation>
    </message>
    <message>
        <source>behind the ] of its host stands no :port</source>
        <translation>hinter dem ] des Rechners steht kein :port</translation>
    </message>
    <message>
        <source>it has no user before the @</source>
        <translation>vor dem @ steht kein Benutzer</translation>
    </message>
    <message>
        <source>it holds a password, which ssh does not take</source>
        <translation>es enthält ein Passwort, das ssh nicht annimmt</translation>
    </message>
    <message>
        <source>it names no host</source>
        <translation>es nennt keinen Rechner</translation>
    </message>
    <message>
        <source>its host or user is no name</source>
        <translation>Rechner oder Benutzer ist kein Name</translation>
    </message>
    <message>
        <source>the lockstep-train there knows nothing of &apos;{}&apos;</source>
        <translation>das lockstep-train dort kennt „{}“ nicht</translation>
    </message>
    <message>
        <source>{}: it has no checkpoint yet</source>
        <translation>{}: er hat noch keinen Checkpoint</translation>
    </message>
    <message>
        <source>{}: no folder for an image can be made{}</source>
        <translation>{}: für ein Bild lässt sich kein Ordner anlegen{}</translation>
    </message>
    <message>
        <source>{}: no run of this name is there</source>
        <translation>{}: dort ist kein Lauf dieses Namens</translation>
    </message>
    <message>
        <source>{}: there is no such file (any more)</source>
        <translation>{}: diese Datei gibt es nicht (mehr)</translation>
    </message>
    <message>
        <source>{}: can&apos;t read it</source>
        <translation>{}: nicht lesbar</translation>
    </message>
    <message>
        <source>the configuration</source>
        <translation>die Konfiguration</translation>
    </message>
    <message>
        <source>{}: not the name of a folder; choose another one</source>
        <translation>{}: kein Name für einen Ordner; wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>{} ({}) has no example {}: choose another image</source>
        <translation>{} ({}) hat kein Beispiel {}: wählen Sie ein anderes Bild</translation>
    </message>
    <message>
        <source>an answer that came over the line is damaged</source>
        <translation>eine Antwort, die über die Leitung kam, ist beschädigt</translation>
    </message>
    <message>
        <source>{}: can&apos;t be written{}</source>
        <translation>{}: lässt sich nicht schreiben{}</translation>
    </message>
    <message>
        <source>no folder for runs of other machines: set HOME</source>
        <translation>kein Ordner für Läufe anderer Rechner: setzen Sie HOME</translation>
    </message>
    <message>
        <source>{}: not a file of a run</source>
        <translation>{}: keine Datei eines Laufs</translation>
    </message>
    <message>
        <source>{}: it became shorter while it was fetched</source>
        <translation>{}: sie wurde kürzer, während sie geholt wurde</translation>
    </message>
    <message>
        <source>{}: not fetched to its end</source>
        <translation>{}: nicht bis zum Ende geholt</translation>
    </message>
    <message>
        <source>{}: there is no home folder; name the whole path</source>
        <translation>{}: es gibt keinen Home-Ordner; nennen Sie den ganzen Pfad</translation>
    </message>
    <message>
        <source>{}: there is no such folder; name a folder of runs, or make it there first</source>
        <translation>{}: diesen Ordner gibt es nicht; nennen Sie einen Ordner mit Läufen, oder legen Sie ihn dort zuerst an</translation>
    </message>
    <message>
        <source>this is lockstep-train {} (protocol {}) and the window is Lockstep {} (protocol {}): install the same version on both machines</source>
        <translation>dies ist lockstep-train {} (Protokoll {}), das Fenster ist Lockstep {} (Protokoll {}): installieren Sie auf beiden Rechnern dieselbe Version</translation>
    </message>
    <message>
        <source>no connection to ssh can be made{}</source>
        <translation>es lässt sich keine Verbindung zu ssh herstellen{}</translation>
    </message>
    <message>
        <source>{}: can&apos;t be started{}; install an SSH client</source>
        <translation>{}: lässt sich nicht starten{}; installieren Sie einen SSH-Client</translation>
    </message>
    <message>
        <source>ommand not found</source>
        <translation>ommand not found</translation>
    </message>
    <message>
        <source>{}: the shell there does not find {}; install it there, or name its path there</source>
        <translation>{}: die Shell dort findet {} nicht; installieren Sie es dort, oder nennen Sie den Pfad dort</translation>
    </message>
    <message>
        <source>Could not resolve hostname</source>
        <translation>Could not resolve hostname</translation>
    </message>
    <message>
        <source>{}: no machine of this name is known; check the name, or give it a Host entry in ~/.ssh/config</source>
        <translation>{}: kein Rechner dieses Namens ist bekannt; prüfen Sie den Namen, oder geben Sie ihm einen Host-Eintrag in ~/.ssh/config</translation>
    </message>
    <message>
        <source>{}: it is not the machine that it was: its host key has changed; if that is meant to be, remove the old one with: ssh-keygen -R &apos;{}&apos;</source>
        <translation>{}: es ist nicht mehr derselbe Rechner: sein Host-Schlüssel hat sich geändert; wenn das so sein soll, entfernen Sie den alten mit: ssh-keygen -R &apos;{}&apos;</translation>
    </message>
    <message>
        <source>Host key verification failed</source>
        <translation>Host key verification failed</translation>
    </message>
    <message>
        <source>{}: its host key is not known yet; connect once in a terminal, with ssh {}, and accept it</source>
        <translation>{}: sein Host-Schlüssel ist noch nicht bekannt; verbinden Sie sich einmal in einem Terminal, mit ssh {}, und nehmen Sie ihn an</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Permission denied</translation>
    </message>
    <message>
        <source>{}: it accepts none of your keys (and passwords are not asked for); put one there with ssh-copy-id, or start the ssh-agent that holds it</source>
        <translation>{}: er nimmt keinen Ihrer Schlüssel an (nach Passwörtern wird nicht gefragt); bringen Sie einen mit ssh-copy-id dorthin, oder starten Sie den ssh-agent, der ihn hat</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>Connection refused</translation>
    </message>
    <message>
        <source>{}: it refuses the connection: check the port, and that an SSH server runs there</source>
        <translation>{}: er lehnt die Verbindung ab: prüfen Sie den Port, und ob dort ein SSH-Server läuft</translation>
    </message>
    <message>
        <source>unknown command &apos;serve&apos;</source>
        <translation>unknown command &apos;serve&apos;</translation>
    </message>
    <message>
        <source>{}: {} there is of an older version, which can&apos;t serve; install the same version on both machines</source>
        <translation>{}: {} ist dort von einer älteren Version, die das nicht kann; installieren Sie auf beiden Rechnern dieselbe Version</translation>
    </message>
    <message>
        <source>{}: the line was cut</source>
        <translation>{}: die Leitung ist abgebrochen</translation>
    </message>
    <message>
        <source>{}: the line was cut: {}</source>
        <translation>{}: die Leitung ist abgebrochen: {}</translation>
    </message>
    <message>
        <source>version = {} ({})
program = {}
{}</source>
        <translation>version = {} ({})
program = {}
{}</translation>
    </message>
    <message>
        <source>the configuration of rank 0</source>
        <translation>die Konfiguration von Rang 0</translation>
    </message>
    <message>
        <source>(--resume) with the ranks that are left, or all</source>
        <translation>(--resume) mit den Rängen, die übrig sind, oder mit allen</translation>
    </message>
    <message>
        <source>the training does not get on: no step has been done for {:.0f} s</source>
        <translation>das Training kommt nicht voran: seit {:.0f} s wurde kein Schritt fertig</translation>
    </message>
    <message>
        <source>{} ranks ({})</source>
        <translation>{} Ränge ({})</translation>
    </message>
    <message>
        <source>towers is {}, but there are {} ranks: each trains one at least</source>
        <translation>towers ist {}, aber es gibt {} Ränge: jeder trainiert mindestens einen</translation>
    </message>
    <message>
        <source>devices = {} x {}
</source>
        <translation>devices = {} x {}
</translation>
    </message>
    <message>
        <source>data_sample = {}
</source>
        <translation>data_sample = {}
</translation>
    </message>
    <message>
        <source>a link needs a latency and a work of 0 or more and a bandwidth above 0</source>
        <translation>eine Verbindung braucht Latenz und Arbeit von 0 oder mehr und eine Bandbreite über 0</translation>
    </message>
    <message>
        <source>the ranks exchanged gradients for {:.2f} ms a step, {:.2f} ms of it behind the backward pass</source>
        <translation>die Ränge tauschten {:.2f} ms je Schritt Gradienten aus, davon {:.2f} ms nach dem Rückwärtsdurchlauf</translation>
    </message>
    <message>
        <source>step {}, tower {}{}: the loss is {}; {}. {}</source>
        <translation>Schritt {}, Tower {}{}: der Loss ist {}; {}. {}</translation>
    </message>
    <message>
        <source>tower {}{}: the gradient</source>
        <translation>Tower {}{}: der Gradient</translation>
    </message>
    <message>
        <source>counting the nodes of the step</source>
        <translation>beim Zählen der Knoten des Schritts</translation>
    </message>
    <message>
        <source>listing the nodes of the step</source>
        <translation>beim Auflisten der Knoten des Schritts</translation>
    </message>
    <message>
        <source>counting the edges of the step</source>
        <translation>beim Zählen der Kanten des Schritts</translation>
    </message>
    <message>
        <source>listing the edges of the step</source>
        <translation>beim Auflisten der Kanten des Schritts</translation>
    </message>
    <message>
        <source>looking at the step</source>
        <translation>beim Ansehen des Schritts</translation>
    </message>
    <message>
        <source>asking what a kernel was compiled for</source>
        <translation>bei der Frage, wofür ein Kernel übersetzt wurde</translation>
    </message>
    <message>
        <source>gpu.without names &apos;{}&apos;, but must name some of: {}</source>
        <translation>gpu.without nennt „{}“, muss aber einige von diesen nennen: {}</translation>
    </message>
    <message>
        <source>device &apos;{}&apos; has no graph of a step; --profile times its layers</source>
        <translation>Gerät „{}“ hat keinen Graphen eines Schritts; --profile misst seine Schichten</translation>
    </message>
    <message>
        <source>what shortens a step on GPUs or tells of it, and is to be left out: head, tail, phase_clock …; an unknown name lists all</source>
        <translation>was einen Schritt auf GPUs verkürzt oder von ihm erzählt und weggelassen werden soll: head, tail, phase_clock …; ein unbekannter Name zählt alle auf</translation>
    </message>
    <message>
        <source>steps between measurements of the towers&apos; gradients; 0: none</source>
        <translation>Schritte zwischen zwei Messungen der Gradienten der Tower; 0: keine</translation>
    </message>
    <message>
        <source>the GPUs exchanged gradients for {:.3f} ms a step, {:.3f} ms of it behind the backward pass; their clocks agree within {:.3f} ms</source>
        <translation>die GPUs tauschten je Schritt {:.3f} ms lang Gradienten aus, davon {:.3f} ms hinter dem Rückwärtsgang; ihre Uhren stimmen auf {:.3f} ms überein</translation>
    </message>
    <message>
        <source>sum of gradients</source>
        <translation>Summe der Gradienten</translation>
    </message>
    <message>
        <source>{} × {} pixels</source>
        <translation>{} × {} Pixeln</translation>
    </message>
    <message>
        <source>{} × {} to {} × {} pixels</source>
        <translation>{} × {} bis {} × {} Pixeln</translation>
    </message>
    <message>
        <source>photographs of any size, JPEG or PNG, in a folder for each class, in train and val or all together, or named with their classes in a CSV table</source>
        <translation>Fotos jeder Größe, JPEG oder PNG, mit einem Ordner für jede Klasse, in train und val oder alle zusammen, oder mit ihren Klassen in einer CSV-Tabelle genannt</translation>
    </message>
    <message>
        <source>grey photographs with masks beside them (_mask, _label, _GT) or in a folder of their own, as KolektorSDD2 and MVTec AD have them, folder or zip</source>
        <translation>graue Fotos mit Masken daneben (_mask, _label, _GT) oder in einem eigenen Ordner, wie KolektorSDD2 und MVTec AD sie haben, als Ordner oder Archiv</translation>
    </message>
    <message>
        <source>it holds CLASS/IMAGE.JPEG, or train/CLASS/IMAGE.JPEG and val/CLASS/IMAGE.JPEG</source>
        <translation>er enthält CLASS/IMAGE.JPEG, oder train/CLASS/IMAGE.JPEG und val/CLASS/IMAGE.JPEG</translation>
    </message>
    <message>
        <source>it holds images/NAME.JPG and masks/NAME.PNG, for example</source>
        <translation>er enthält zum Beispiel images/NAME.JPG und masks/NAME.PNG</translation>
    </message>
    <message>
        <source>{}: there is no label for this image: {}_label.bmp, _mask or _GT beside it, or {}.png in a folder masks beside images</source>
        <translation>{}: zu diesem Bild gibt es kein Label: {}_label.bmp, _mask oder _GT daneben, oder {}.png in einem Ordner masks neben images</translation>
    </message>
    <message>
        <source>{}: is no JPEG, PNG or BMP, but has the label {}; convert it to one of these</source>
        <translation>{}: ist kein JPEG, PNG oder BMP, hat aber das Label {}; wandeln Sie es in eines davon um</translation>
    </message>
    <message>
        <source>{}: is no BMP or PNG, as the label of {} has to be; convert it</source>
        <translation>{}: ist kein BMP oder PNG, wie es das Label von {} sein muss; wandeln Sie es um</translation>
    </message>
    <message>
        <source>without an ending</source>
        <translation>ohne Endung</translation>
    </message>
    <message>
        <source>images with masks ({})</source>
        <translation>Bilder mit Masken ({})</translation>
    </message>
    <message>
        <source>{}: holds no images{}; {}give the folder or zip archive with images and their masks, such as kos01/Part0.jpg and kos01/Part0_label.bmp, or images/a.jpg and masks/a.png (dataset.path)</source>
        <translation>{}: enthält keine Bilder{}; {}geben Sie den Ordner oder das Archiv mit Bildern und ihren Masken an, wie kos01/Part0.jpg und kos01/Part0_label.bmp, oder images/a.jpg und masks/a.png (dataset.path)</translation>
    </message>
    <message>
        <source>; all are trained on and tested on, as dataset.fold = -1 says</source>
        <translation>; mit allen wird trainiert und getestet, wie dataset.fold = -1 sagt</translation>
    </message>
    <message>
        <source>dataset.fold is {}, but the data have folders of their own to train and to test on; leave it at 0, or at -1 for all images in both</source>
        <translation>dataset.fold ist {}, aber die Daten haben eigene Ordner zum Trainieren und zum Testen; lassen Sie es bei 0, oder bei -1 für alle Bilder in beidem</translation>
    </message>
    <message>
        <source>; fold {} of {} is tested on{}</source>
        <translation>; auf Teil {} von {} wird getestet{}</translation>
    </message>
    <message>
        <source>, because nothing is marked in their own folder to train on</source>
        <translation>, weil in ihrem eigenen Ordner zum Trainieren nichts markiert ist</translation>
    </message>
    <message>
        <source>{}: holds both {} and {}, which mean the same; leave one of them</source>
        <translation>{}: enthält {} und {}, was dasselbe heißt; lassen Sie eines davon</translation>
    </message>
    <message>
        <source>{}: holds {}, but nothing to train on; add a folder train with the same classes, or give {} itself, of whose classes a share is then tested on (dataset.path)</source>
        <translation>{}: enthält {}, aber nichts zum Trainieren; legen Sie einen Ordner train mit denselben Klassen dazu, oder geben Sie {} selbst an, von dessen Klassen dann ein Anteil getestet wird (dataset.path)</translation>
    </message>
    <message>
        <source>a folder for each class in {} and {}; {} is tested on</source>
        <translation>ein Ordner für jede Klasse in {} und {}; getestet wird auf {}</translation>
    </message>
    <message>
        <source>, {} is held back</source>
        <translation>, {} bleibt beiseite</translation>
    </message>
    <message>
        <source>{}: this folder does not exist; give one that holds a folder for each class, alone or in train and val, or a table of paths and labels that ends in .csv (dataset.path)</source>
        <translation>{}: diesen Ordner gibt es nicht; geben Sie einen an, der einen Ordner für jede Klasse enthält, allein oder in train und val, oder eine Tabelle von Pfaden und Labels, die auf .csv endet (dataset.path)</translation>
    </message>
    <message>
        <source>a folder for each class, no train and val</source>
        <translation>ein Ordner für jede Klasse, kein train und val</translation>
    </message>
    <message>
        <source>{}: fewer than two images of class {}; each class needs one to train on and one to test on: add images, or take the class away</source>
        <translation>{}: weniger als zwei Bilder der Klasse {}; jede Klasse braucht eines zum Trainieren und eines zum Testen: fügen Sie Bilder hinzu, oder nehmen Sie die Klasse weg</translation>
    </message>
    <message>
        <source>; {:g} % of each class, drawn by the seed, are tested on</source>
        <translation>; {:g} % jeder Klasse, vom Seed ausgelost, werden getestet</translation>
    </message>
    <message>
        <source>; the table says which are tested on</source>
        <translation>; die Tabelle sagt, welche getestet werden</translation>
    </message>
    <message>
        <source>{}: names no images; a line reads &apos;images/a.jpg,cat&apos; (dataset.path)</source>
        <translation>{}: nennt keine Bilder; eine Zeile lautet „images/a.jpg,cat“ (dataset.path)</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a path and a label, such as &apos;images/a.jpg,cat&apos;</source>
        <translation>„{}“ ist kein Pfad mit Label, wie „images/a.jpg,cat“</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is in line {} already</source>
        <translation>„{}“ steht schon in Zeile {}</translation>
    </message>
    <message>
        <source>either all lines say train, val or test, or none does</source>
        <translation>entweder sagen alle Zeilen train, val oder test, oder keine</translation>
    </message>
    <message>
        <source>{}: no line says {}; give images of both, or leave the third column out</source>
        <translation>{}: keine Zeile sagt {}; geben Sie Bilder von beiden an, oder lassen Sie die dritte Spalte weg</translation>
    </message>
    <message>
        <source>val or test</source>
        <translation>val oder test</translation>
    </message>
    <message>
        <source>{}: no image to train on of class {}; say train in one line</source>
        <translation>{}: kein Bild der Klasse {} zum Trainieren; sagen Sie in einer Zeile train</translation>
    </message>
    <message>
        <source>synthetic or synthetic_defects (generated), cifar10, kolektorsdd, image_folder, tfrecord, masked_folder</source>
        <translation>synthetic oder synthetic_defects (erzeugt), cifar10, kolektorsdd, image_folder, tfrecord, masked_folder</translation>
    </message>
    <message>
        <source>folder, archive or table of the data set, where it needs one</source>
        <translation>Ordner, Archiv oder Tabelle der Daten, wo sie gebraucht werden</translation>
    </message>
    <message>
        <source>what is tested on where the data have folders or lines of both: validation or test</source>
        <translation>was getestet wird, wo die Daten Ordner oder Zeilen von beidem haben: validation oder test</translation>
    </message>
    <message>
        <source>of image_folder: share of each class that is tested on where nothing is set apart</source>
        <translation>von image_folder: Anteil jeder Klasse, der getestet wird, wo nichts beiseitegelegt ist</translation>
    </message>
    <message>
        <source>test images that are training images, too: warn, refuse or ignore (not looked for)</source>
        <translation>Testbilder, die auch Trainingsbilder sind: warn, refuse (ablehnen) oder ignore (nicht gesucht)</translation>
    </message>
    <message>
        <source>dataset.test_share is {}, but must be between 0 and 1</source>
        <translation>dataset.test_share ist {}, muss aber zwischen 0 und 1 liegen</translation>
    </message>
    <message>
        <source>dataset.name is &apos;{}&apos;, which has no folds; choose one that does: kolektorsdd or masked_folder</source>
        <translation>dataset.name ist „{}“, was keine Teile hat; wählen Sie eines, das welche hat: kolektorsdd oder masked_folder</translation>
    </message>
    <message>
        <source>none of {} test images is a training image</source>
        <translation>keines von {} Testbildern ist ein Trainingsbild</translation>
    </message>
    <message>
        <source>{} of {} test images are training images, too, the first: {} is {}</source>
        <translation>{} von {} Testbildern sind auch Trainingsbilder, das erste: {} ist {}</translation>
    </message>
    <message>
        <source>{}: take one of each two away, or set dataset.duplicates</source>
        <translation>{}: nehmen Sie je eines von beiden weg, oder setzen Sie dataset.duplicates</translation>
    </message>
    <message>
        <source>CIFAR-10 has {} images in each file, this folder has {}{}</source>
        <translation>CIFAR-10 hat {} Bilder in jeder Datei, dieser Ordner hat {}{}</translation>
    </message>
    <message>
        <source>label {} is &apos;{}&apos; in the training set, but &apos;{}&apos; in the test set</source>
        <translation>Klasse {} heißt in den Trainingsdaten „{}“, in den Testdaten aber „{}“</translation>
    </message>
    <message>
        <source>label {} is &apos;{}&apos; in the training set, but &apos;{}&apos; in the test set, whose labels mean other classes: make one of the two anew</source>
        <translation>Klasse {} heißt in den Trainingsdaten „{}“, in den Testdaten aber „{}“, deren Nummern andere Klassen meinen: erzeugen Sie eines von beiden neu</translation>
    </message>
    <message>
        <source>; {} of {} training images are under two classes, the first: {}</source>
        <translation>; {} von {} Trainingsbildern stehen unter zwei Klassen, das erste: {}</translation>
    </message>
    <message>
        <source>; {} of {} training images are there twice</source>
        <translation>; {} von {} Trainingsbildern sind doppelt da</translation>
    </message>
    <message>
        <source>; {} of them under another class, the first: {}</source>
        <translation>; {} davon unter einer anderen Klasse, das erste: {}</translation>
    </message>
    <message>
        <source>: what the test says of the network is too good</source>
        <translation>: was der Test vom Netz sagt, ist zu gut</translation>
    </message>
    <message>
        <source>{}: holds one class or none; give the place with a folder or a label for each of several classes (dataset.path)</source>
        <translation>{}: enthält eine Klasse oder keine; geben Sie den Ort mit einem Ordner oder einem Label für jede von mehreren Klassen an (dataset.path)</translation>
    </message>
    <message>
        <source>input.erase is {}, but must be between 0 and 1</source>
        <translation>input.erase ist {}, muss aber zwischen 0 und 1 liegen</translation>
    </message>
    <message>
        <source>pooling by windows above 15 x 15</source>
        <translation>Pooling mit Fenstern über 15 x 15</translation>
    </message>
    <message>
        <source>pooling of 2^31 values or more</source>
        <translation>Pooling von 2^31 Werten oder mehr</translation>
    </message>
    <message>
        <source>passes over the training set, in place of steps; 0: as many steps as that key says</source>
        <translation>Durchläufe der Trainingsmenge, anstelle von Schritten; 0: so viele Schritte, wie deren Schlüssel sagt</translation>
    </message>
    <message>
        <source>exponential (every epochs_per_decay), step (at milestones), cosine or polynomial (to the end of the run)</source>
        <translation>exponential (alle epochs_per_decay), step (an Meilensteinen), cosine oder polynomial (bis zum Ende des Laufs)</translation>
    </message>
    <message>
        <source>epochs or steps in which the rate rises in a straight line from 0; 0: none</source>
        <translation>Epochen oder Schritte, in denen die Rate geradlinig von 0 ansteigt; 0: keine</translation>
    </message>
    <message>
        <source>step: when the rate decays, such as &apos;30, 60, 80&apos;</source>
        <translation>step: wann die Rate fällt, etwa &apos;30, 60, 80&apos;</translation>
    </message>
    <message>
        <source>what warm-up and milestones are counted in: epochs or steps</source>
        <translation>worin Aufwärmen und Meilensteine gezählt werden: epochs (Epochen) oder steps (Schritte)</translation>
    </message>
    <message>
        <source>cosine and polynomial: share of the initial rate that is left at the end</source>
        <translation>cosine und polynomial: Anteil der anfänglichen Rate, der am Ende übrig ist</translation>
    </message>
    <message>
        <source>polynomial: 1 is a straight line</source>
        <translation>polynomial: 1 ist eine Gerade</translation>
    </message>
    <message>
        <source>how weights follow their gradient: sgd, momentum, rmsprop, adam or adamw</source>
        <translation>wie Gewichte ihrem Gradienten folgen: sgd, momentum, rmsprop, adam oder adamw</translation>
    </message>
    <message>
        <source>rmsprop (inside the root), adam and adamw (outside it); 0: 1e-10 for rmsprop, else 1e-8</source>
        <translation>rmsprop (unter der Wurzel), adam und adamw (außerhalb); 0: 1e-10 für rmsprop, sonst 1e-8</translation>
    </message>
    <message>
        <source>; the engine reads JPEG, PNG and BMP</source>
        <translation>; gelesen werden JPEG, PNG und BMP</translation>
    </message>
    <message>
        <source>{}: its folders with images are called {}, which names no class; give the place with a folder for each class, or a table of paths and labels (dataset.path = …/labels.csv)</source>
        <translation>{}: die Ordner mit Bildern heißen {}, was keine Klasse nennt; geben Sie den Ort mit einem Ordner für jede Klasse an oder eine Tabelle von Pfaden und Labels (dataset.path = …/labels.csv)</translation>
    </message>
    <message>
        <source>the images in {} are not used ({}): {}</source>
        <translation>die Bilder in {} werden nicht benutzt ({}): {}</translation>
    </message>
    <message>
        <source>of {} images, such as {}, the camera noted that they are turned otherwise than their masks (EXIF); if these were drawn on the images as they are stored, set dataset.orientation = stored</source>
        <translation>zu {} Bildern, etwa {}, hat die Kamera vermerkt, dass sie anders gedreht sind als ihre Masken (EXIF); wenn diese auf die Bilder gezeichnet sind, wie sie gespeichert sind, setzen Sie dataset.orientation = stored</translation>
    </message>
    <message>
        <source>; their own folders say which are tested on, those of {}{}</source>
        <translation>; ihre eigenen Ordner sagen, woran getestet wird: die aus {}{}</translation>
    </message>
    <message>
        <source>, {} of {} are held back</source>
        <translation>, {} aus {} bleiben zurück</translation>
    </message>
    <message>
        <source>not used, as they lie in no folder of a part: {}</source>
        <translation>nicht benutzt, weil sie in keinem Ordner eines Teils liegen: {}</translation>
    </message>
    <message>
        <source>{}: images lie in a folder to train on and elsewhere, but in none called val or test: {}; call the folder of those to test on so, or put all into one place to have them dealt into folds</source>
        <translation>{}: Bilder liegen in einem Ordner zum Trainieren und anderswo, aber in keinem namens val oder test: {}; nennen Sie den Ordner derer so, an denen getestet werden soll, oder legen Sie alle an einen Ort, damit sie in Teile aufgeteilt werden</translation>
    </message>
    <message>
        <source>{} and {} are two classes, which differ only by case, accents, blanks or zeros before a number; if they are one, call both the same</source>
        <translation>{} und {} sind zwei Klassen, die sich nur in Groß- und Kleinschreibung, Akzenten, Leerzeichen oder Nullen vor einer Zahl unterscheiden; wenn sie eine sind, nennen Sie beide gleich</translation>
    </message>
    <message>
        <source>{}the training set has no example of the labels from {} on, {}, which the test set has: a network can&apos;t tell them</source>
        <translation>{}der Trainingssatz hat kein Beispiel der Labels ab {}, {}, die der Testsatz hat: ein Netz kann sie nicht erkennen</translation>
    </message>
    <message>
        <source>{} are the classes, each of which holds {}; if those are the classes, give one of the folders (dataset.path)</source>
        <translation>{} sind die Klassen, von denen jede {} enthält; wenn das die Klassen sind, geben Sie einen der Ordner an (dataset.path)</translation>
    </message>
    <message>
        <source>{}: images are those of the column {}, labels those of {}{}; not read: {}</source>
        <translation>{}: Bilder sind die der Spalte {}, Labels die von {}{}; nicht gelesen: {}</translation>
    </message>
    <message>
        <source>{}: its first line, &apos;{}&apos;, is taken for the names of its columns</source>
        <translation>{}: seine erste Zeile, „{}“, wird für die Namen der Spalten gehalten</translation>
    </message>
    <message>
        <source>{} does not hold ten different names, so the classes are called as CIFAR-10&apos;s are</source>
        <translation>{} enthält nicht zehn verschiedene Namen, deshalb heißen die Klassen wie die von CIFAR-10</translation>
    </message>
    <message>
        <source>{}: {} says which images are tested on, the folders of classes do not; to follow it set dataset.path = {}, to have a share drawn move it away</source>
        <translation>{}: {} sagt, an welchen Bildern getestet wird, die Ordner der Klassen sagen es nicht; um ihr zu folgen, setzen Sie dataset.path = {}, um einen Anteil ziehen zu lassen, nehmen Sie sie weg</translation>
    </message>
    <message>
        <source>{}: {} holds images, {} none that can be read (JPEG, PNG, BMP); convert them, or give {} if its folders are the classes (dataset.path)</source>
        <translation>{}: {} enthält Bilder, {} keine lesbaren (JPEG, PNG, BMP); wandeln Sie diese um, oder geben Sie {} an, wenn dessen Ordner die Klassen sind (dataset.path)</translation>
    </message>
    <message>
        <source>{}: has a folder {}, where {} is meant, which differs by case, by how its accents are written or by blanks; call both the same</source>
        <translation>{}: hat einen Ordner {}, wo {} gemeint ist, der sich in Groß- und Kleinschreibung, Schreibweise der Akzente oder Leerzeichen unterscheidet; nennen Sie beide gleich</translation>
    </message>
    <message>
        <source>the test images have changed since {}: accuracies from here on can&apos;t be compared with those before, and the best checkpoint may be one of those</source>
        <translation>die Testbilder haben sich seit {} geändert: Genauigkeiten von hier an sind nicht mit denen davor vergleichbar, und der beste Checkpoint kann einer von jenen sein</translation>
    </message>
    <message>
        <source>the outputs that are taken over mean {}, those of this run {}: to begin their layer anew name it in initial_weights.fresh_layers: {}</source>
        <translation>die übernommenen Ausgänge bedeuten {}, die dieses Laufs {}: damit ihre Schicht neu beginnt, nennen Sie sie in initial_weights.fresh_layers: {}</translation>
    </message>
    <message>
        <source>{}: the data have changed since this fold was trained, and with them which images each fold has; choose another folder for the folds of the data as they are now</source>
        <translation>{}: die Daten haben sich geändert, seit dieser Teil trainiert wurde, und mit ihnen, welche Bilder jeder Teil hat; wählen Sie einen anderen Ordner für die Teile der Daten, wie sie jetzt sind</translation>
    </message>
    <message>
        <source>{}: the data have folders of their own to train and to test on, and so no folds: train one run, or put all images into one place</source>
        <translation>{}: die Daten haben eigene Ordner zum Trainieren und Testen und deshalb keine Teile: trainieren Sie einen Lauf, oder legen Sie alle Bilder an einen Ort</translation>
    </message>
    <message>
        <source>initial_weights.checkpoint is {}, which has the weights of &apos;{}&apos; twice: behind &apos;{}&apos; and behind &apos;{}&apos;; write those that you mean into a file of their own</source>
        <translation>initial_weights.checkpoint ist {}, das die Gewichte von „{}“ zweimal hat: hinter „{}“ und hinter „{}“; schreiben Sie die gemeinten in eine eigene Datei</translation>
    </message>
    <message>
        <source>initial_weights.checkpoint is {}, which has the weights of &apos;{}&apos; twice: &apos;{}&apos; and &apos;{}&apos;; write those that you mean into a file of their own</source>
        <translation>initial_weights.checkpoint ist {}, das die Gewichte von „{}“ zweimal hat: „{}“ und „{}“; schreiben Sie die gemeinten in eine eigene Datei</translation>
    </message>
    <message>
        <source>{}: is of another format, such as a pickle of PyTorch, or damaged: as a safetensors file it would have a header of {} bytes; use another file</source>
        <translation>{}: ist in einem anderen Format, etwa ein Pickle von PyTorch, oder beschädigt: als safetensors-Datei hätte sie einen Kopf von {} Bytes; nehmen Sie eine andere Datei</translation>
    </message>
    <message>
        <source>{}: is damaged: {}; what follows in this file is lost: get it again, or go on with what there is before (dataset.damaged = skip_all)</source>
        <translation>{}: ist beschädigt: {}; was in dieser Datei folgt, ist verloren: holen Sie sie noch einmal, oder machen Sie mit dem weiter, was davor steht (dataset.damaged = skip_all)</translation>
    </message>
    <message>
        <source>if they are inverted, dark marks on {}, set dataset.mask_background = white and dataset.mask_threshold = {}</source>
        <translation>wenn sie umgekehrt sind, dunkle Marken auf {}, setzen Sie dataset.mask_background = white und dataset.mask_threshold = {}</translation>
    </message>
    <message>
        <source>no class, as there are no images: {}</source>
        <translation>keine Klasse, da ohne Bilder: {}</translation>
    </message>
    <message>
        <source>class {} has no image in {}</source>
        <translation>Klasse {} hat in {} kein Bild</translation>
    </message>
    <message>
        <source>{} is taken for a class, as those beside it are</source>
        <translation>{} gilt als Klasse wie die daneben</translation>
    </message>
    <message>
        <source>{} left out: {}{}</source>
        <translation>{} ausgelassen: {}{}</translation>
    </message>
    <message>
        <source>images that were trained on are among those scored</source>
        <translation>unter den bewerteten sind Bilder, mit denen trainiert wurde</translation>
    </message>
    <message>
        <source>the images have changed since the training, so that others are drawn for the test: some that it trained on may be among them now</source>
        <translation>die Bilder haben sich seit dem Training geändert, so dass andere für den Test gezogen werden: solche, mit denen trainiert wurde, können nun darunter sein</translation>
    </message>
    <message>
        <source>adam and adamw: epsilon beside the corrected root (pytorch) or the plain one (tensorflow)</source>
        <translation>adam und adamw: epsilon neben der berichtigten Wurzel (pytorch) oder der einfachen (tensorflow)</translation>
    </message>
    <message>
        <source>optimizer.epsilon_as is &apos;{}&apos;, but must be tensorflow or pytorch</source>
        <translation>optimizer.epsilon_as ist „{}“, muss aber tensorflow oder pytorch sein</translation>
    </message>
    <message>
        <source>adam and adamw: decay of the mean of gradients</source>
        <translation>adam und adamw: Abfall des Mittels der Gradienten</translation>
    </message>
    <message>
        <source>adam and adamw: decay of the mean of squared gradients</source>
        <translation>adam und adamw: Abfall des Mittels der quadrierten Gradienten</translation>
    </message>
    <message>
        <source>of all weights; adamw: apart from the gradient; -1: the model&apos;s own</source>
        <translation>aller Gewichte; adamw: getrennt vom Gradienten; -1: der des Modells</translation>
    </message>
    <message>
        <source>largest norm of the averaged gradient, which is scaled down to it; 0: none</source>
        <translation>größte Norm des gemittelten Gradienten, der auf sie verkleinert wird; 0: keine</translation>
    </message>
    <message>
        <source>decay biases and normalisations too, as PyTorch does unless told otherwise</source>
        <translation>auch Biases und Normalisierungen abfallen lassen, wie PyTorch, wenn man nichts anderes sagt</translation>
    </message>
    <message>
        <source>evaluations, none better by checkpoint.best_by, after which the run ends; 0: never</source>
        <translation>Auswertungen, keine besser nach checkpoint.best_by, nach denen der Lauf endet; 0: nie</translation>
    </message>
    <message>
        <source>optimizer.clip_norm is {}, but must be a number of 0 or more</source>
        <translation>optimizer.clip_norm ist {}, muss aber eine Zahl ab 0 sein</translation>
    </message>
    <message>
        <source>optimizer.weight_decay is {}, but must be a number of 0 or more, or -1 for the model&apos;s own</source>
        <translation>optimizer.weight_decay ist {}, muss aber eine Zahl ab 0 sein, oder -1 für den des Modells</translation>
    </message>
    <message>
        <source>accumulate_passes is {}, but the {} examples of a tower can&apos;t be split into so many equal passes</source>
        <translation>accumulate_passes ist {}, aber die {} Beispiele eines Towers lassen sich nicht in so viele gleiche Durchgänge teilen</translation>
    </message>
    <message>
        <source>stop.patience is {}, but {} is 0: the run would not know, or not keep, its best</source>
        <translation>stop.patience ist {}, aber {} ist 0: der Lauf würde seinen besten Stand nicht kennen oder nicht behalten</translation>
    </message>
    <message>
        <source>the search for a learning rate was cancelled</source>
        <translation>die Suche nach einer Lernrate wurde abgebrochen</translation>
    </message>
    <message>
        <source>the rates are {} to {}, but must be more than 0, the second above the first</source>
        <translation>die Raten sind {} bis {}, müssen aber über 0 liegen, die zweite über der ersten</translation>
    </message>
    <message>
        <source>none of the rates that are tried (1, 3, 10, … and 0.3, 0.1, …) is from {} to {}</source>
        <translation>keine der Raten, die probiert werden (1, 3, 10, … und 0,3, 0,1, …), liegt von {} bis {}</translation>
    </message>
    <message>
        <source>the steps are {}, but must be at least {}</source>
        <translation>die Schritte sind {}, müssen aber mindestens {} sein</translation>
    </message>
    <message>
        <source>no evaluation was better than that at step {}, {} in a row: the run ends (stop.patience)</source>
        <translation>keine Auswertung war besser als die bei Schritt {}, {} nacheinander: der Lauf endet (stop.patience)</translation>
    </message>
    <message>
        <source>{} × {} examples{} = global batch {}; {:.1f} steps an epoch</source>
        <translation>{} × {} Beispiele{} = globaler Batch {}; {:.1f} Schritte pro Epoche</translation>
    </message>
    <message>
        <source> (in {} passes)</source>
        <translation> (in {} Durchgängen)</translation>
    </message>
    <message>
        <source>optimizer {}; learning rate {}; memory of the towers {} MiB</source>
        <translation>Optimierer {}; Lernrate {}; Speicher der Tower {} MiB</translation>
    </message>
    <message>
        <source>learning_rate.milestones is &apos;{}&apos;, but must be ascending numbers, such as &apos;30, 60, 80&apos;</source>
        <translation>learning_rate.milestones ist „{}“, müssen aber aufsteigende Zahlen sein, etwa &apos;30, 60, 80&apos;</translation>
    </message>
    <message>
        <source>{} is {}, but must be between 0 and 1</source>
        <translation>{} ist {}, muss aber zwischen 0 und 1 liegen</translation>
    </message>
    <message>
        <source>{} is {}, but must be more than 0</source>
        <translation>{} ist {}, muss aber größer als 0 sein</translation>
    </message>
    <message>
        <source>learning_rate.schedule is &apos;{}&apos;, but must be exponential, step, cosine or polynomial</source>
        <translation>learning_rate.schedule ist „{}“, muss aber exponential, step, cosine oder polynomial sein</translation>
    </message>
    <message>
        <source>learning_rate.unit is &apos;{}&apos;, but must be epochs or steps</source>
        <translation>learning_rate.unit ist „{}“, muss aber epochs oder steps sein</translation>
    </message>
    <message>
        <source>learning_rate.schedule is step, but learning_rate.milestones names none; such as &apos;30, 60, 80&apos;</source>
        <translation>learning_rate.schedule ist step, aber learning_rate.milestones nennt keine; etwa &apos;30, 60, 80&apos;</translation>
    </message>
    <message>
        <source>, warmed up for {} steps</source>
        <translation>, Aufwärmen über {} Schritte</translation>
    </message>
    <message>
        <source>, × {} every {} steps</source>
        <translation>, × {} alle {} Schritte</translation>
    </message>
    <message>
        <source>, × {} at steps {}</source>
        <translation>, × {} bei den Schritten {}</translation>
    </message>
    <message>
        <source>, {} to {} at step {}</source>
        <translation>, {} bis {} bei Schritt {}</translation>
    </message>
    <message>
        <source>the learning rate can&apos;t be {} at step {}: the schedule until there (x {}) leaves nothing of it; resume with another learning_rate.schedule or decay_factor</source>
        <translation>die Lernrate kann bei Schritt {1} nicht {0} sein: der Verlauf bis dorthin (x {2}) lässt nichts von ihr übrig; setzen Sie mit einem anderen learning_rate.schedule oder decay_factor fort</translation>
    </message>
    <message>
        <source>optimizer.name is &apos;{}&apos;, but must be sgd, momentum, rmsprop, adam or adamw</source>
        <translation>optimizer.name ist „{}“, muss aber sgd, momentum, rmsprop, adam oder adamw sein</translation>
    </message>
    <message>
        <source>, gradient clipped to {}</source>
        <translation>, Gradient auf {} begrenzt</translation>
    </message>
    <message>
        <source>the averaged gradient was clipped to a norm of {} in {} of {} steps</source>
        <translation>der gemittelte Gradient wurde in {1} von {2} Schritten auf eine Norm von {0} begrenzt</translation>
    </message>
    <message>
        <source>images with masks can&apos;t be cropped, recoloured, standardised or erased (input.pad, crop, flip, brightness, contrast, standardize, erase): use input.mirror_horizontal and input.mirror_vertical, which move the masks, too</source>
        <translation>Bilder mit Masken können nicht zugeschnitten, umgefärbt, standardisiert oder ausgelöscht werden (input.pad, crop, flip, brightness, contrast, standardize, erase): nehmen Sie input.mirror_horizontal und input.mirror_vertical, die auch die Masken bewegen</translation>
    </message>
    <message>
        <source>input.pad is {}, but must be 0 or more</source>
        <translation>input.pad ist {}, muss aber 0 oder mehr sein</translation>
    </message>
    <message>
        <source>{}: the block has no place for &apos;{}&apos;</source>
        <translation>{}: der Block hat keinen Platz für „{}“</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; stands for nothing; give &apos;{}&apos; a value</source>
        <translation>{}: „{}“ steht für nichts; geben Sie „{}“ einen Wert</translation>
    </message>
    <message>
        <source>{}: repeat is {}, but must be at least 1</source>
        <translation>{}: repeat ist {}, muss aber mindestens 1 sein</translation>
    </message>
    <message>
        <source>{}: block &apos;{}&apos; needs a name and at least one [[block.layer]]</source>
        <translation>{}: Block „{}“ braucht einen Namen und mindestens ein [[block.layer]]</translation>
    </message>
    <message>
        <source>{}: block &apos;{}&apos;: the key &apos;{}&apos; is not known</source>
        <translation>{}: Block „{}“: den Schlüssel „{}“ gibt es nicht</translation>
    </message>
    <message>
        <source>{}: block &apos;{}&apos;: the name is used twice</source>
        <translation>{}: Block „{}“: der Name kommt zweimal vor</translation>
    </message>
    <message>
        <source>{}: layer &apos;{}&apos;</source>
        <translation>{}: Schicht „{}“</translation>
    </message>
    <message>
        <source>{}: needs at least one [[layer]]</source>
        <translation>{}: braucht mindestens eine [[layer]]</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos; comes after it, or is itself; what a layer reads must be listed before it, so that nothing goes round in a circle</source>
        <translation>Schicht „{}“ kommt danach oder ist sie selbst; was eine Schicht liest, muss vor ihr stehen, damit nichts im Kreis geht</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has no place beside a mask; leave it out</source>
        <translation>„{}“ hat neben einer Maske keinen Platz; lassen Sie es weg</translation>
    </message>
    <message>
        <source>&apos;stddev&apos; has no place beside {}, whose range follows from the layer; leave one of them out</source>
        <translation>„stddev“ hat neben {} keinen Platz, dessen Bereich aus der Schicht folgt; lassen Sie eines davon weg</translation>
    </message>
    <message>
        <source>&apos;activation&apos; is missing: relu, sigmoid, silu, gelu, hard_swish or hard_sigmoid</source>
        <translation>„activation“ fehlt: relu, sigmoid, silu, gelu, hard_swish oder hard_sigmoid</translation>
    </message>
    <message>
        <source>&apos;{}&apos; must be numbers in brackets</source>
        <translation>„{}“ müssen Zahlen in Klammern sein</translation>
    </message>
    <message>
        <source>model &apos;{}&apos; is not one of the classifiers</source>
        <translation>Modell „{}“ ist keiner der Klassifikatoren</translation>
    </message>
    <message>
        <source>model.weight_decay is {}, but must be 0 or more</source>
        <translation>model.weight_decay ist {}, muss aber 0 oder mehr sein</translation>
    </message>
    <message>
        <source>weights of torchvision expect pixels from -1 to 1</source>
        <translation>Gewichte von torchvision erwarten Pixel von -1 bis 1</translation>
    </message>
    <message>
        <source>weights of torchvision expect pixels less the mean of ImageNet&apos;s colours, divided by their deviation</source>
        <translation>Gewichte von torchvision erwarten Pixel abzüglich des Mittels der Farben von ImageNet, geteilt durch deren Abweichung</translation>
    </message>
    <message>
        <source>objective &apos;{}&apos;: class_weights needs {} numbers, one a class, of 0 or more and not all 0; it has {}</source>
        <translation>Ziel „{}“: class_weights braucht {} Zahlen, eine je Klasse, von 0 oder mehr und nicht alle 0; es hat {}</translation>
    </message>
    <message>
        <source>two layers</source>
        <translation>zwei Schichten</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: {} groups don&apos;t divide its {} input and {} output channels evenly</source>
        <translation>Schicht „{}“: {} Gruppen teilen ihre {} Eingangs- und {} Ausgangskanäle nicht ohne Rest</translation>
    </message>
    <message>
        <source>size of what comes out</source>
        <translation>Größe dessen, was herauskommt</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: epsilon is {}, but must be greater than 0</source>
        <translation>Schicht „{}“: epsilon ist {}, muss aber größer als 0 sein</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: {} can&apos;t be added to its first input, {}: height and width must be the same, and not more channels</source>
        <translation>Schicht „{}“: {} kann nicht zu ihrem ersten Eingang, {}, addiert werden: Höhe und Breite müssen gleich sein, und nicht mehr Kanäle</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: its second input is {}, but must be {}, one value for each channel of the first</source>
        <translation>Schicht „{}“: ihr zweiter Eingang ist {}, muss aber {} sein, ein Wert für jeden Kanal des ersten</translation>
    </message>
    <message>
        <source>layer &apos;{}&apos;: only ReLU is applied inside a layer; give another activation a layer of its own (elementwise)</source>
        <translation>Schicht „{}“: in einer Schicht wird nur ReLU angewendet; geben Sie einer anderen Aktivierung eine eigene Schicht (elementwise)</translation>
    </message>
    <message>
        <source>decay of the running moments (1 - PyTorch&apos;s momentum); 0: the model&apos;s own</source>
        <translation>Abklingen der laufenden Momente (1 - momentum von PyTorch); 0: das des Modells</translation>
    </message>
    <message>
        <source>number of classes, without a background; 0: those of the data, or the model&apos;s own</source>
        <translation>Zahl der Klassen, ohne Hintergrund; 0: die der Daten, oder die des Modells</translation>
    </message>
    <message>
        <source>epsilon of the normalisations; 0: the model&apos;s own</source>
        <translation>Epsilon der Normalisierungen; 0: das des Modells</translation>
    </message>
    <message>
        <source>share of the values before the logits that a step keeps; 0: the model&apos;s own</source>
        <translation>Anteil der Werte vor den Logits, den ein Schritt behält; 0: der des Modells</translation>
    </message>
    <message>
        <source>share of the target that is spread evenly over all classes; -1: the model&apos;s own</source>
        <translation>Anteil des Ziels, der gleichmäßig auf alle Klassen verteilt wird; -1: der des Modells</translation>
    </message>
    <message>
        <source>decay of the weights; -1: the model&apos;s own</source>
        <translation>Abklingen der Gewichte; -1: das des Modells</translation>
    </message>
    <message>
        <source>of photographs: symmetric (-1 to 1) or imagenet (as torchvision&apos;s weights expect them); auto: as the model wants it</source>
        <translation>von Fotos: symmetric (-1 bis 1) oder imagenet (wie die Gewichte von torchvision sie erwarten); auto: wie das Modell es will</translation>
    </message>
    <message>
        <source>pixels of an image&apos;s mean colour on every side, before the random crop</source>
        <translation>Pixel der mittleren Farbe eines Bildes auf jeder Seite, vor dem zufälligen Ausschnitt</translation>
    </message>
    <message>
        <source>random erasing: share of the images of which a box is blanked out, 0 to 1; 0: none</source>
        <translation>zufälliges Auslöschen: Anteil der Bilder, von denen ein Kasten geleert wird, 0 bis 1; 0: keines</translation>
    </message>
    <message>
        <source>the checkpoint has no fitting weights &apos;{}&apos; of model &apos;{}&apos;</source>
        <translation>der Checkpoint hat keine passenden Gewichte „{}“ von Modell „{}“</translation>
    </message>
    <message>
        <source>{}: model &apos;{}&apos; is too large for one ONNX file (2 GiB)</source>
        <translation>{}: Modell „{}“ ist zu groß für eine ONNX-Datei (2 GiB)</translation>
    </message>
    <message>
        <source>initial_weights.checkpoint is {}, a pickle of PyTorch, which may run any program when it is opened; write it as safetensors, in Python: d = torch.load(FILE, map_location=&apos;cpu&apos;, weights_only=True); d = d.get(&apos;state_dict&apos;, d); safetensors.torch.save_file(dict((k, v.clone().contiguous()) for k, v in d.items()), &apos;weights.safetensors&apos;)</source>
        <translation>initial_weights.checkpoint ist {}, ein Pickle von PyTorch, das beim Öffnen jedes Programm ausführen kann; schreiben Sie es als safetensors, in Python: d = torch.load(FILE, map_location=&apos;cpu&apos;, weights_only=True); d = d.get(&apos;state_dict&apos;, d); safetensors.torch.save_file(dict((k, v.clone().contiguous()) for k, v in d.items()), &apos;weights.safetensors&apos;)</translation>
    </message>
    <message>
        <source>segdecnet: authors or third_party; inception_v3: trainer (TensorFlow&apos;s) or torchvision; empty: the first</source>
        <translation>segdecnet: authors oder third_party; inception_v3: trainer (TensorFlows) oder torchvision; leer: das erste</translation>
    </message>
    <message>
        <source>passes in which a tower goes over its batch, with the memory of one; its gradient is their sum</source>
        <translation>Durchgänge, in denen ein Tower seinen Batch verarbeitet, mit dem Speicher von einem; sein Gradient ist ihre Summe</translation>
    </message>
    <message>
        <source>mix images and labels in pairs, by shares of a beta distribution with this alpha, such as 0.2; 0: not</source>
        <translation>Bilder und Labels paarweise mischen, zu Anteilen einer Beta-Verteilung mit diesem Alpha, etwa 0.2; 0: nicht</translation>
    </message>
    <message>
        <source>input.mixup is {}, which mixes the examples of a tower two by two, but a tower has {} in a step; give an even number</source>
        <translation>input.mixup ist {} und mischt je zwei Beispiele eines Towers, aber ein Tower hat {} pro Schritt; nehmen Sie eine gerade Zahl</translation>
    </message>
    <message>
        <source>input.mixup is {}, but only classes of whole images can be mixed, no masks; use 0</source>
        <translation>input.mixup ist {}, aber nur Klassen ganzer Bilder können gemischt werden, keine Masken; nehmen Sie 0</translation>
    </message>
    <message>
        <source>{}: is not there</source>
        <translation>{}: ist nicht da</translation>
    </message>
    <message>
        <source>the prediction was cancelled</source>
        <translation>die Vorhersage wurde abgebrochen</translation>
    </message>
    <message>
        <source>of processors: auto (the fastest way), or direct: by sums, where small filters take 2 to 4 times as long and lose fewer digits</source>
        <translation>der Prozessoren: auto (auf dem schnellsten Weg) oder direct: durch Summen, womit kleine Filter 2- bis 4-mal so lange dauern und weniger Stellen verlieren</translation>
    </message>
    <message>
        <source>convolution is &apos;{}&apos;, but must be {} or {}</source>
        <translation>convolution ist „{}“, muss aber {} oder {} sein</translation>
    </message>
    <message>
        <source>not looked for to the end: the run shall stop</source>
        <translation>nicht bis zum Ende gesucht: der Lauf soll anhalten</translation>
    </message>
    <message>
        <source>* on processors</source>
        <translation>* on processors</translation>
    </message>
    <message>
        <source>{}: this run was recorded ({}); only the program that trained it can go on with it</source>
        <translation>{}: dieser Lauf wurde aufgezeichnet ({}); nur das Programm, das ihn trainiert hat, kann ihn fortsetzen</translation>
    </message>
    <message>
        <source>{}: no loss &apos;{}&apos;; name one with --loss: {}</source>
        <translation>{}: kein Loss „{}“; nennen Sie einen mit --loss: {}</translation>
    </message>
    <message>
        <source>not every step was logged: the steps shown are the {} that were, from {} to {}</source>
        <translation>nicht jeder Schritt wurde protokolliert: gezeigt werden die {}, die es wurden, von {} bis {}</translation>
    </message>
    <message>
        <source>{}:{}: &apos;{}&apos; is no number</source>
        <translation>{}:{}: „{}“ ist keine Zahl</translation>
    </message>
    <message>
        <source>{}: can&apos;t read a line of names{}</source>
        <translation>{}: keine Zeile mit Namen lesbar{}</translation>
    </message>
    <message>
        <source>{}:{}: {} fields, where the first line has {}</source>
        <translation>{}:{}: {} Felder, wo die erste Zeile {} hat</translation>
    </message>
    <message>
        <source>{}:{}: a step below 0</source>
        <translation>{}:{}: ein Schritt unter 0</translation>
    </message>
    <message>
        <source>{}: no event files there</source>
        <translation>{}: dort sind keine Event-Dateien</translation>
    </message>
    <message>
        <source>TensorBoard event files</source>
        <translation>Event-Dateien von TensorBoard</translation>
    </message>
    <message>
        <source>{}: ranks are counted from 0, and none is missing: {} is</source>
        <translation>{}: Ranks werden von 0 an lückenlos gezählt: {} fehlt</translation>
    </message>
    <message>
        <source>{}: no line but the names</source>
        <translation>{}: keine Zeile außer den Namen</translation>
    </message>
    <message>
        <source>a checksum or length is wrong</source>
        <translation>eine Prüfsumme oder Länge ist falsch</translation>
    </message>
    <message>
        <source>{}: bytes {} to {} can&apos;t be read ({}); what is before and after them is kept</source>
        <translation>{}: die Bytes {} bis {} sind nicht lesbar ({}); was davor und dahinter steht, bleibt</translation>
    </message>
    <message>
        <source>{}: ends within a frame, whose {} bytes at {} are left out</source>
        <translation>{}: endet mitten in einem Rahmen, dessen {} Bytes ab {} weggelassen werden</translation>
    </message>
    <message>
        <source>the frame is too short</source>
        <translation>der Rahmen ist zu kurz</translation>
    </message>
    <message>
        <source>a number is out of range</source>
        <translation>eine Zahl liegt außerhalb ihres Bereichs</translation>
    </message>
    <message>
        <source>the frame&apos;s length is not that of its entries</source>
        <translation>die Länge des Rahmens ist nicht die seiner Einträge</translation>
    </message>
    <message>
        <source>its text is no JSON object</source>
        <translation>sein Text ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>its format is another than 1; use a newer Lockstep</source>
        <translation>sein Format ist ein anderes als 1; nehmen Sie ein neueres Lockstep</translation>
    </message>
    <message>
        <source>its rank is not among the ranks</source>
        <translation>sein Rank ist keiner der Ranks</translation>
    </message>
    <message>
        <source>a step without a number</source>
        <translation>ein Schritt ohne Nummer</translation>
    </message>
    <message>
        <source>a step whose phases are not in order</source>
        <translation>ein Schritt, dessen Phasen nicht in ihrer Reihenfolge sind</translation>
    </message>
    <message>
        <source>a step that took years</source>
        <translation>ein Schritt, der Jahre gedauert hat</translation>
    </message>
    <message>
        <source>an empty frame</source>
        <translation>ein leerer Rahmen</translation>
    </message>
    <message>
        <source>rank {} has not said that it ended: it was killed, or its file is not whole</source>
        <translation>Rank {} hat sein Ende nicht gemeldet: er wurde abgebrochen, oder seine Datei ist unvollständig</translation>
    </message>
    <message>
        <source>{}: its start can&apos;t be read; it is taken for rank {}</source>
        <translation>{}: der Anfang ist nicht lesbar; die Datei gilt als die von Rank {}</translation>
    </message>
    <message>
        <source>rank {} is there again</source>
        <translation>Rank {} ist wieder da</translation>
    </message>
    <message>
        <source>the gradient of rank {} is not finite in step {}, before it is averaged</source>
        <translation>der Gradient von Rank {} ist in Schritt {} nicht endlich, bevor er gemittelt wird</translation>
    </message>
    <message>
        <source>rank {}: {}</source>
        <translation>Rank {}: {}</translation>
    </message>
    <message>
        <source>{} and {} are both of rank {}: the second one is left out</source>
        <translation>{} und {} sind beide von Rank {}: die zweite wird weggelassen</translation>
    </message>
    <message>
        <source>there is nothing of rank {}</source>
        <translation>von Rank {} gibt es nichts</translation>
    </message>
    <message>
        <source>the loss of rank {} is not finite in step {}</source>
        <translation>der Loss von Rank {} ist in Schritt {} nicht endlich</translation>
    </message>
    <message>
        <source>of rank {}</source>
        <translation>von Rank {}</translation>
    </message>
    <message>
        <source># Made of what ranks recorded: lockstep-train gather.
</source>
        <translation># Made of what ranks recorded: lockstep-train gather.
</translation>
    </message>
    <message>
        <source>{}model.name = {}
dataset.name = {}
towers = {}
steps = {}
</source>
        <translation>{}model.name = {}
dataset.name = {}
towers = {}
steps = {}
</translation>
    </message>
    <message>
        <source>batch_per_tower = {}
</source>
        <translation>batch_per_tower = {}
</translation>
    </message>
    <message>
        <source>rank files</source>
        <translation>Rank-Dateien</translation>
    </message>
    <message>
        <source>{}: no rank has recorded anything there (ranks/rank-0000{}); name the folder that the recorder was given</source>
        <translation>{}: dort hat kein Rank etwas aufgezeichnet (ranks/rank-0000{}); nennen Sie den Ordner, den der Rekorder bekam</translation>
    </message>
    <message>
        <source>{}: a training of Lockstep&apos;s own is there; what ranks record needs a folder of its own</source>
        <translation>{}: dort ist ein eigenes Training von Lockstep; was Ranks aufzeichnen, braucht einen eigenen Ordner</translation>
    </message>
    <message>
        <source>{}: no rank file (*{}) there</source>
        <translation>{}: dort ist keine Rank-Datei (*{})</translation>
    </message>
    <message>
        <source>rank {} ends before step {}; the others go on</source>
        <translation>Rank {} endet vor Schritt {}; die anderen gehen weiter</translation>
    </message>
    <message>
        <source>rank {} fell silent before step {}; the others go on</source>
        <translation>Rank {} ist vor Schritt {} verstummt; die anderen gehen weiter</translation>
    </message>
    <message>
        <source>rank {} failed: {}</source>
        <translation>Rank {} ist gescheitert: {}</translation>
    </message>
    <message>
        <source>run {}, which brings NVIDIA&apos;s libraries, or install them</source>
        <translation>führen Sie {} aus, das NVIDIAs Bibliotheken holt, oder installieren Sie sie</translation>
    </message>
    <message>
        <source>this build has no CUDA half ({} is not beside the program): install the package lockstep-cuda, or {}</source>
        <translation>dieser Build hat keine CUDA-Hälfte ({} liegt nicht neben dem Programm): installieren Sie das Paket lockstep-cuda, oder {}</translation>
    </message>
    <message>
        <source>data set &apos;{}&apos; is made by the program that trained with it: only that program can go on with the run, or test on the data</source>
        <translation>der Datensatz „{}“ kommt aus dem Programm, das damit trainiert hat: nur dieses kann den Lauf fortsetzen oder mit den Daten testen</translation>
    </message>
    <message>
        <source>of each layer, as a run chose them by time, on GPUs or for bfloat16; empty: the fastest; first: untimed</source>
        <translation>die jeder Schicht, wie ein Lauf sie nach der Zeit gewählt hat, auf GPUs oder für bfloat16; leer: die schnellsten; first: ungemessen</translation>
    </message>
    <message>
        <source>{}: the name behind &apos;{}&apos; can&apos;t be read; pack it anew with names in UTF-8</source>
        <translation>{}: der Name nach „{}“ kann nicht gelesen werden; packen Sie es mit Namen in UTF-8 neu</translation>
    </message>
    <message>
        <source>the training data have changed since {} ({}): the run goes on with another order of examples, and can&apos;t be repeated from its start; where a share of the images is drawn for the test, some that it trained on may be among them now</source>
        <translation>die Trainingsdaten haben sich seit {} geändert ({}): der Lauf geht mit einer anderen Reihenfolge der Beispiele weiter und kann nicht von Anfang an wiederholt werden; wo ein Teil der Bilder für den Test gezogen wird, können nun solche darunter sein, mit denen trainiert wurde</translation>
    </message>
    <message>
        <source>{}: none of its {} checkpoints can be read; see to the disk, or begin anew in another folder; {}</source>
        <translation>{}: keiner der {} Checkpoints kann gelesen werden; sehen Sie nach der Festplatte, oder beginnen Sie in einem anderen Ordner neu; {}</translation>
    </message>
    <message>
        <source>the run goes on, but its checkpoint of step {} was not completed: {}</source>
        <translation>der Lauf geht weiter, aber sein Checkpoint von Schritt {} wurde nicht fertig: {}</translation>
    </message>
    <message>
        <source>too early to tell whether the towers see alike data</source>
        <translation>noch zu früh, um zu sagen, ob die Tower gleichartige Daten sehen</translation>
    </message>
    <message>
        <source>one tower gets all data</source>
        <translation>ein Tower bekommt alle Daten</translation>
    </message>
    <message>
        <source>all towers seem to get the same rows: their losses are the same in every step</source>
        <translation>alle Tower bekommen anscheinend dieselben Zeilen: ihre Losses sind in jedem Schritt gleich</translation>
    </message>
    <message>
        <source>their losses</source>
        <translation>ihre Losses</translation>
    </message>
    <message>
        <source>the towers see alike data</source>
        <translation>die Tower sehen gleichartige Daten</translation>
    </message>
    <message>
        <source>the losses of the two towers differ by {:.0f} %: look at the data of both (of two, neither can be called the odd one)</source>
        <translation>die Losses der beiden Tower unterscheiden sich um {} %: sehen Sie sich die Daten beider an (von zweien lässt sich keiner den falschen nennen)</translation>
    </message>
    <message>
        <source>tower {}: its loss is {:.0f} % above that of the others: look at its data</source>
        <translation>Tower {}: sein Loss liegt {} % über dem der anderen: Daten ansehen</translation>
    </message>
    <message>
        <source>tower {}: its loss is {:.0f} % below that of the others: look at its data</source>
        <translation>Tower {}: sein Loss liegt {} % unter dem der anderen: Daten ansehen</translation>
    </message>
    <message>
        <source>tower {}: its loss scatters {:.1f} times as much as that of the others: look at its data</source>
        <translation>Tower {}: sein Loss streut {}-mal so sehr wie der der anderen: Daten ansehen</translation>
    </message>
    <message>
        <source>tower {}: its gradients disagree with the others&apos; (cosine {:.2f}, theirs {:.2f}): look at its data and its device</source>
        <translation>Tower {}: seine Gradienten widersprechen denen der anderen (Kosinus {}, deren {}): sehen Sie sich seine Daten und sein Gerät an</translation>
    </message>
    <message>
        <source>its gradients</source>
        <translation>seine Gradienten</translation>
    </message>
    <message>
        <source>its loss</source>
        <translation>seinen Loss</translation>
    </message>
    <message>
        <source>too early to tell whether the network learns</source>
        <translation>noch zu früh, um zu sagen, ob das Netz lernt</translation>
    </message>
    <message>
        <source>not learning: the sum of the losses has risen from {:.3g} to {:.3g}; the learning rate is too high</source>
        <translation>lernt nicht: die Summe der Losses ist von {} auf {} gestiegen; die Lernrate ist zu hoch</translation>
    </message>
    <message>
        <source>not learning: the cross-entropy has risen from {:.3g} to {:.3g}; the learning rate is too high</source>
        <translation>lernt nicht: die Kreuzentropie ist von {} auf {} gestiegen; die Lernrate ist zu hoch</translation>
    </message>
    <message>
        <source>not learning: {:.1f} % right after {:.3g} epochs, {:.3g} % is chance; the learning rate may be too high</source>
        <translation>lernt nicht: {} % richtig nach {} Epochen, {} % ist Zufall; die Lernrate ist vielleicht zu hoch</translation>
    </message>
    <message>
        <source>the sum of the losses has risen from {:.3g} to {:.3g}; the learning rate may be too high</source>
        <translation>die Summe der Losses ist von {} auf {} gestiegen; die Lernrate ist vielleicht zu hoch</translation>
    </message>
    <message>
        <source>the loss has risen from {:.3g} to {:.3g}; the learning rate may be too high</source>
        <translation>der Loss ist von {} auf {} gestiegen; die Lernrate ist vielleicht zu hoch</translation>
    </message>
    <message>
        <source>as far as it comes: no fall for {} steps</source>
        <translation>so weit, wie es kommt: seit {} Schritten nicht gefallen</translation>
    </message>
    <message>
        <source>{:.0f} % of the training batches right ({:.3g} % is chance), cross-entropy {:.3g}</source>
        <translation>{} % der Trainings-Batches richtig ({} % ist Zufall), Kreuzentropie {}</translation>
    </message>
    <message>
        <source>the sum of the losses falls: from {:.3g} to {:.3g}</source>
        <translation>die Summe der Losses fällt: von {} auf {}</translation>
    </message>
    <message>
        <source>the loss falls: from {:.3g} to {:.3g}</source>
        <translation>der Loss fällt: von {} auf {}</translation>
    </message>
    <message>
        <source>it can&apos;t be told whether the network learns: {:.1f} % right so far, {:.3g} % is chance</source>
        <translation>es lässt sich nicht sagen, ob das Netz lernt: bisher {} % richtig, {} % ist Zufall</translation>
    </message>
    <message>
        <source>it can&apos;t be told whether the network learns: no clear fall of the loss so far</source>
        <translation>es lässt sich nicht sagen, ob das Netz lernt: der Loss ist bisher nicht deutlich gefallen</translation>
    </message>
    <message>
        <source>tower {} makes everyone wait {} of the time: {} a step</source>
        <translation>Tower {} lässt alle {} der Zeit warten: {} pro Schritt</translation>
    </message>
    <message>
        <source>tower {} makes everyone wait {} of the time: {} a step, most of it for its data</source>
        <translation>Tower {} lässt alle {} der Zeit warten: {} pro Schritt, meist auf seine Daten</translation>
    </message>
    <message>
        <source>tower {} makes everyone wait {} of the time: {} a step, most of it in its forward pass</source>
        <translation>Tower {} lässt alle {} der Zeit warten: {} pro Schritt, meist im Vorwärtslauf</translation>
    </message>
    <message>
        <source>tower {} makes everyone wait {} of the time: {} a step, most of it in its backward pass</source>
        <translation>Tower {} lässt alle {} der Zeit warten: {} pro Schritt, meist im Rückwärtslauf</translation>
    </message>
    <message>
        <source>too early to tell who is waited for</source>
        <translation>noch zu früh, um zu sagen, auf wen gewartet wird</translation>
    </message>
    <message>
        <source>the barrier clock</source>
        <translation>die Barrierenuhr</translation>
    </message>
    <message>
        <source>the towers wait for data {} of the time: give the input more threads (input.threads), a faster disk or fewer distortions</source>
        <translation>die Tower warten {} der Zeit auf Daten: geben Sie der Eingabe mehr Threads (input.threads), eine schnellere Platte oder weniger Verzerrungen</translation>
    </message>
    <message>
        <source>a single tower waits for nobody</source>
        <translation>ein einzelner Tower wartet auf niemanden</translation>
    </message>
    <message>
        <source>the devices do not tell when a tower arrives at the barrier</source>
        <translation>die Geräte melden nicht, wann ein Tower an der Barriere ankommt</translation>
    </message>
    <message>
        <source>tower {} often comes last and costs {} of the time; other programs may be why</source>
        <translation>Tower {} kommt oft zuletzt und kostet {} der Zeit; vielleicht wegen anderer Programme</translation>
    </message>
    <message>
        <source>no tower makes the others wait; they take turns on shared processors</source>
        <translation>kein Tower lässt andere warten; sie wechseln sich auf den Prozessoren ab</translation>
    </message>
    <message>
        <source>no tower is slow; by chance they wait for each other {} of the time</source>
        <translation>kein Tower ist langsam; durch Zufall warten sie {} der Zeit aufeinander</translation>
    </message>
    <message>
        <source>no tower makes the others wait</source>
        <translation>kein Tower lässt die anderen warten</translation>
    </message>
    <message>
        <source>the network learns</source>
        <translation>das Netz lernt</translation>
    </message>
    <message>
        <source>the loss falls again, or is given time at another learning rate</source>
        <translation>der Loss fällt wieder, oder er bekommt bei einer anderen Lernrate Zeit</translation>
    </message>
    <message>
        <source>the data come in time again</source>
        <translation>die Daten kommen wieder rechtzeitig</translation>
    </message>
    <message>
        <source>the towers get different rows again</source>
        <translation>die Tower bekommen wieder verschiedene Zeilen</translation>
    </message>
    <message>
        <source>tower {}: it is like the others again</source>
        <translation>Tower {}: er ist wieder wie die anderen</translation>
    </message>
    <message>
        <source>tower {}: it keeps pace with the others again</source>
        <translation>Tower {}: er hält mit den anderen wieder Schritt</translation>
    </message>
    <message>
        <source>when a tower makes the others wait for more than this share of the time</source>
        <translation>wenn ein Tower die anderen mehr als diesen Anteil der Zeit warten lässt</translation>
    </message>
    <message>
        <source>{} on purpose: not found</source>
        <translation>{}, mit Absicht: nicht gefunden</translation>
    </message>
    <message>
        <source>{} on purpose: found at step {}, by {}</source>
        <translation>{}, mit Absicht: gefunden bei Schritt {}, durch {}</translation>
    </message>
    <message>
        <source>tower {} was late</source>
        <translation>Tower {} kam zu spät</translation>
    </message>
    <message>
        <source>all towers got the same rows</source>
        <translation>alle Tower bekamen dieselben Zeilen</translation>
    </message>
    <message>
        <source>tower {} got a single class</source>
        <translation>Tower {} bekam eine einzige Klasse</translation>
    </message>
    <message>
        <source>tower {} was poisoned</source>
        <translation>Tower {} war vergiftet</translation>
    </message>
    <message>
        <source>{}: a run store of version {}, which this program can&apos;t read: it knows versions {} and {}; use the program that wrote it</source>
        <translation>{}: ein Speicher eines Laufs der Version {}, den dieses Programm nicht lesen kann: es kennt die Versionen {} und {}; nehmen Sie das Programm, das ihn geschrieben hat</translation>
    </message>
    <message>
        <source>not learning: the weights have grown without bounds, weight decay alone is {:.3g}; the learning rate is too high</source>
        <translation>lernt nicht: die Gewichte sind ins Grenzenlose gewachsen, Weight Decay allein ist {}; die Lernrate ist zu hoch</translation>
    </message>
</context>
<context>
    <name>EngineThread</name>
    <message>
        <source>%1. The last checkpoint is %2; the run can be resumed from it.</source>
        <translation>%1. Der letzte Checkpoint ist %2; von ihm kann der Lauf fortgesetzt werden.</translation>
    </message>
</context>
<context>
    <name>ExperimentText</name>
    <message>
        <source>Experiment: all towers get the same rows</source>
        <translation>Experiment: alle Tower bekommen dieselben Zeilen</translation>
    </message>
    <message>
        <source>Experiment: tower %1 gets only examples of class %2</source>
        <translation>Experiment: Tower %1 bekommt nur Beispiele der Klasse %2</translation>
    </message>
    <message>
        <source>Experiment: the labels of tower %1 are random</source>
        <translation>Experiment: die Klassen von Tower %1 sind zufällig</translation>
    </message>
    <message>
        <source>Experiment: tower %1 sleeps %2 in every backward pass</source>
        <translation>Experiment: Tower %1 schläft %2 in jedem Rückwärtsgang</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>%1; found at step %2, by %3</source>
        <translation>%1; gefunden bei Schritt %2, durch %3</translation>
    </message>
</context>
<context>
    <name>MarkText</name>
    <message>
        <source>Here: %1 × not a number</source>
        <translation>Hier: %1 × keine Zahl</translation>
    </message>
    <message>
        <source>Here: %1 × 0 or less, which a logarithmic axis has no place for</source>
        <translation>Hier: %1 × 0 oder weniger, wofür eine logarithmische Achse keinen Platz hat</translation>
    </message>
    <message>
        <source>Here: %1 × above the chart, up to %2</source>
        <translation>Hier: %1 × über dem Diagramm, bis %2</translation>
    </message>
    <message>
        <source>Here: %1 × below the chart, down to %2</source>
        <translation>Hier: %1 × unter dem Diagramm, bis %2</translation>
    </message>
</context>
<context>
    <name>MarkerText</name>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>when</source>
        <translation>wann</translation>
    </message>
    <message>
        <source>the loss is not a number</source>
        <translation>der Loss ist keine Zahl</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>ein Fehler</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>since then</source>
        <translation>seither</translation>
    </message>
    <message>
        <source>the run went on from before</source>
        <translation>der Lauf ging von früher weiter</translation>
    </message>
    <message>
        <source>the run went on from here</source>
        <translation>der Lauf ging von hier weiter</translation>
    </message>
    <message>
        <source>left behind</source>
        <translation>zurückgelassen</translation>
    </message>
    <message>
        <source>steps %1 to %2 (grey)</source>
        <translation>Schritte %1 bis %2 (grau)</translation>
    </message>
    <message>
        <source>learning rate %1 → %2</source>
        <translation>Lernrate %1 → %2</translation>
    </message>
    <message>
        <source>evaluated, %1</source>
        <translation>ausgewertet, %1</translation>
    </message>
    <message>
        <source>test accuracy, raw weights</source>
        <translation>Testgenauigkeit, rohe Gewichte</translation>
    </message>
    <message>
        <source>moving averages</source>
        <translation>gleitende Mittel</translation>
    </message>
</context>
<context>
    <name>MemoryText</name>
    <message>
        <source>Needs about %1 of %2 on %3</source>
        <translation>Braucht etwa %1 von %2 auf %3</translation>
    </message>
    <message>
        <source>Needs about %1 on %2</source>
        <translation>Braucht etwa %1 auf %2</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>CIFAR-10 network</source>
        <translation>CIFAR-10-Netz</translation>
    </message>
    <message>
        <source>generated pictures</source>
        <translation>erzeugte Bilder</translation>
    </message>
    <message>
        <source>generated defects</source>
        <translation>erzeugte Defekte</translation>
    </message>
    <message>
        <source>folder of pictures</source>
        <translation>Bilderordner</translation>
    </message>
    <message>
        <source>TFRecord files</source>
        <translation>TFRecord-Dateien</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>Rang %1 auf %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>device and rank</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>folder of pictures and masks</source>
        <translation>Bilderordner mit Masken</translation>
    </message>
    <message>
        <source>shapes network</source>
        <translation>Formen-Netz</translation>
    </message>
</context>
<context>
    <name>PhaseFacts</name>
    <message>
        <source>%1 steps in all, but the run has %2: the last are cut</source>
        <translation>Zusammen %1 Schritte, aber der Lauf hat %2: die letzten entfallen</translation>
    </message>
    <message>
        <source>%1 steps in all, but the run has %2: the last phase is extended</source>
        <translation>Zusammen %1 Schritte, aber der Lauf hat %2: die letzte Phase wird verlängert</translation>
    </message>
    <message>
        <source>Phase %1: %2 %3</source>
        <translation>Phase %1: %2 %3</translation>
    </message>
</context>
<context>
    <name>PhaseWords</name>
    <message>
        <source>all objectives</source>
        <translation>alle Ziele</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>learning rate by the schedule</source>
        <translation>Lernrate nach Plan</translation>
    </message>
    <message>
        <source>Steps %1 to %2: %3, %4</source>
        <translation>Schritte %1 bis %2: %3, %4</translation>
    </message>
    <message>
        <source>%1; frozen: %2</source>
        <translation>%1; eingefroren: %2</translation>
    </message>
</context>
<context>
    <name>Preflight</name>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>free space</source>
        <translation>freier Platz</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>duplicates</source>
        <translation>Duplikate</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>First look</source>
        <translation>Erster Blick</translation>
    </message>
    <message>
        <source>Quick CIFAR-10</source>
        <translation>CIFAR-10, kurz</translation>
    </message>
    <message>
        <source>2 towers × 128 on CIFAR-10, 3,000 steps</source>
        <translation>2 Tower × 128 auf CIFAR-10, 3.000 Schritte</translation>
    </message>
    <message>
        <source>The article&apos;s run</source>
        <translation>Der Lauf des Artikels</translation>
    </message>
    <message>
        <source>4 towers × 128 on CIFAR-10, 700,000 steps</source>
        <translation>4 Tower × 128 auf CIFAR-10, 700.000 Schritte</translation>
    </message>
    <message>
        <source>SegDecNet, generated defects</source>
        <translation>SegDecNet, erzeugte Defekte</translation>
    </message>
    <message>
        <source>2 towers × 1 on generated cracks, 256 × 128 pixels, 250 + 150 steps: needs no data</source>
        <translation>2 Tower × 1 auf erzeugten Rissen, 256 × 128 Pixel, 250 + 150 Schritte: braucht keine Daten</translation>
    </message>
    <message>
        <source>SegDecNet, KolektorSDD (paper)</source>
        <translation>SegDecNet, KolektorSDD (Artikel)</translation>
    </message>
    <message>
        <source>1 tower × 1 on KolektorSDD, 1408 × 512 pixels, 6,600 + 6,600 steps</source>
        <translation>1 Tower × 1 auf KolektorSDD, 1408 × 512 Pixel, 6.600 + 6.600 Schritte</translation>
    </message>
    <message>
        <source>Inception v3, ten classes</source>
        <translation>Inception v3, zehn Klassen</translation>
    </message>
    <message>
        <source>2 towers × 8 on a folder of photographs, 139 × 139 pixels, 2,000 steps: for processors</source>
        <translation>2 Tower × 8 auf einem Ordner mit Fotos, 139 × 139 Pixel, 2.000 Schritte: für Prozessoren</translation>
    </message>
    <message>
        <source>Inception v3, flowers (fine-tuning)</source>
        <translation>Inception v3, Blumen (Feinabstimmung)</translation>
    </message>
    <message>
        <source>2 towers × 16 on five kinds of flowers in TFRecord files, from the weights of another run, 2,000 steps</source>
        <translation>2 Tower × 16 auf fünf Blumenarten in TFRecord-Dateien, von den Gewichten eines anderen Laufs aus, 2.000 Schritte</translation>
    </message>
    <message>
        <source>Inception v3, ImageNet</source>
        <translation>Inception v3, ImageNet</translation>
    </message>
    <message>
        <source>8 towers × 32 on ImageNet in TFRecord files, 299 × 299 pixels, 500,000 steps</source>
        <translation>8 Tower × 32 auf ImageNet in TFRecord-Dateien, 299 × 299 Pixel, 500.000 Schritte</translation>
    </message>
    <message>
        <source>A poisoned tower</source>
        <translation>Ein vergifteter Tower</translation>
    </message>
    <message>
        <source>4 towers × 32 on generated pictures, one with random labels, 1,000 steps: needs no data</source>
        <translation>4 Tower × 32 mit erzeugten Bildern, einer mit zufälligen Labels, 1.000 Schritte: braucht keine Daten</translation>
    </message>
    <message>
        <source>ResNet-20 on CIFAR-10</source>
        <translation>ResNet-20 auf CIFAR-10</translation>
    </message>
    <message>
        <source>2 towers × 64 on CIFAR-10, 40 epochs</source>
        <translation>2 Tower × 64 auf CIFAR-10, 40 Epochen</translation>
    </message>
    <message>
        <source>2 towers × 32 on generated pictures, 2,000 steps: needs no data</source>
        <translation>2 Tower × 32 auf erzeugten Bildern, 2.000 Schritte: braucht keine Daten</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
</context>
<context>
    <name>RunPanel</name>
    <message>
        <source>Looking for devices…</source>
        <translation>Geräte werden gesucht…</translation>
    </message>
    <message>
        <source>No device was found</source>
        <translation>Kein Gerät gefunden</translation>
    </message>
    <message>
        <source>%1 GPUs: %2</source>
        <translation>%1 GPUs: %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <comment>the items of a list and its last</comment>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the items of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 on %2 chosen GPUs: %3 stays idle</source>
        <translation>%1 auf %2 gewählten GPUs: %3 bleibt ungenutzt</translation>
    </message>
    <message>
        <source>%1 on %2 chosen GPUs: %3 stay idle</source>
        <translation>%1 auf %2 gewählten GPUs: %3 bleiben ungenutzt</translation>
    </message>
    <message>
        <source>%1 on %2 GPUs, %3 each</source>
        <translation>%1 auf %2 GPUs, je %3</translation>
    </message>
    <message>
        <source>%1 on %2 GPUs: %3</source>
        <translation>%1 auf %2 GPUs: %3</translation>
    </message>
    <message>
        <source>1 tower</source>
        <translation>1 Tower</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>1 tower on %1</source>
        <translation>1 Tower auf %1</translation>
    </message>
    <message>
        <source>%1 towers on %2</source>
        <translation>%1 Tower auf %2</translation>
    </message>
    <message>
        <source>%1, threads measured at start</source>
        <translation>%1, Threads beim Start gemessen</translation>
    </message>
    <message>
        <source>%1, 1 thread each</source>
        <translation>%1, je 1 Thread</translation>
    </message>
    <message>
        <source>%1, %2 threads each</source>
        <translation>%1, je %2 Threads</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>A GPU if there is one, or else the CPU</source>
        <translation>Eine GPU, wenn es eine gibt, sonst die CPU</translation>
    </message>
    <message>
        <source>The processors of this computer</source>
        <translation>Die Prozessoren dieses Rechners</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>The GPUs that are ticked below</source>
        <translation>Die GPUs, die unten angekreuzt sind</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1 (nicht verfügbar)</translation>
    </message>
    <message>
        <source>Every number in float32</source>
        <translation>Jede Zahl in float32</translation>
    </message>
    <message>
        <source>float32 in memory, products of matrices with 10 bits of mantissa (NVIDIA)</source>
        <translation>float32 im Speicher, Matrixprodukte mit 10 Bit Mantisse (NVIDIA)</translation>
    </message>
    <message>
        <source>bfloat16 into products of matrices, float32 for weights, sums and the loss</source>
        <translation>bfloat16 in Matrixprodukten, float32 für Gewichte, Summen und den Loss</translation>
    </message>
    <message>
        <source>No device here can train with it</source>
        <translation>Kein Gerät hier kann damit trainieren</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>The processors, shared out among the towers</source>
        <translation>Die Prozessoren, auf die Tower verteilt</translation>
    </message>
    <message>
        <source>measured at start</source>
        <translation>beim Start gemessen</translation>
    </message>
    <message>
        <source>Times a few steps with 1, 2, 4, … threads and keeps the fastest</source>
        <translation>Misst einige Schritte mit 1, 2, 4, … Threads und behält die schnellste Zahl</translation>
    </message>
    <message>
        <source>Built-in network: %1</source>
        <translation>Eingebautes Netz: %1</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>new, in %1</source>
        <translation>neu, in %1</translation>
    </message>
    <message>
        <source>Model file…</source>
        <translation>Modelldatei…</translation>
    </message>
    <message>
        <source>Model files (*.toml);;All files (*)</source>
        <translation>Modelldateien (*.toml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Refuse to train if only some towers have a gradient</source>
        <translation>Nicht trainieren, wenn nur manche Tower einen Gradienten haben</translation>
    </message>
    <message>
        <source>Count the missing gradients as zeros</source>
        <translation>Fehlende Gradienten als Nullen zählen</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>Testgenauigkeit</translation>
    </message>
    <message>
        <source>test loss</source>
        <translation>Test-Loss</translation>
    </message>
    <message>
        <source>where the run keeps its steps and checkpoints; empty: a new folder</source>
        <translation>wo der Lauf seine Schritte und Checkpoints aufbewahrt; leer: ein neuer Ordner</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>Ordner des Laufs</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>D&amp;ata set</source>
        <translation>D&amp;aten</translation>
    </message>
    <message>
        <source>Data f&amp;older</source>
        <translation>Daten&amp;ordner</translation>
    </message>
    <message>
        <source>&amp;GPUs (towers)</source>
        <translation>&amp;GPUs (Tower)</translation>
    </message>
    <message>
        <source>s/batch = step seconds ÷ towers</source>
        <translation>s/Batch = Sekunden eines Schritts ÷ Tower</translation>
    </message>
    <message>
        <source>Threads a tower</source>
        <translation>Threads pro Tower</translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation>G&amp;erät</translation>
    </message>
    <message>
        <source>&amp;Batch per tower</source>
        <translation>&amp;Batch pro Tower</translation>
    </message>
    <message>
        <source>batch per tower = global batch ÷ towers</source>
        <translation>Batch pro Tower = globaler Batch ÷ Tower</translation>
    </message>
    <message>
        <source>G&amp;lobal batch</source>
        <translation>G&amp;lobaler Batch</translation>
    </message>
    <message>
        <source>global batch = towers × batch per tower</source>
        <translation>globaler Batch = Tower × Batch pro Tower</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>&amp;Schritte</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>See&amp;d</translation>
    </message>
    <message>
        <source>&amp;Precision</source>
        <translation>&amp;Präzision</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>Algorithmen</translation>
    </message>
    <message>
        <source>Replay steps</source>
        <translation>Schritte abspielen</translation>
    </message>
    <message>
        <source>GPUs without</source>
        <translation>GPUs ohne</translation>
    </message>
    <message>
        <source>Lear&amp;ning rate</source>
        <translation>Ler&amp;nrate</translation>
    </message>
    <message>
        <source>Rate decay factor</source>
        <translation>Abfallfaktor</translation>
    </message>
    <message>
        <source>Epochs per decay</source>
        <translation>Epochen pro Abfall</translation>
    </message>
    <message>
        <source>Decay by tower</source>
        <translation>Abfall nach Tower</translation>
    </message>
    <message>
        <source>Moving average</source>
        <translation>Gleitendes Mittel</translation>
    </message>
    <message>
        <source>Missing gradient</source>
        <translation>Fehl. Gradient</translation>
    </message>
    <message>
        <source>Save ever&amp;y</source>
        <translation>S&amp;ichern alle</translation>
    </message>
    <message>
        <source>only at the end</source>
        <translation>nur am Ende</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> Schritte</translation>
    </message>
    <message>
        <source>&amp;Keep newest</source>
        <translation>Neueste be&amp;halten</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>Beste nach</translation>
    </message>
    <message>
        <source>Events every</source>
        <translation>Ereignisse alle</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Evalua&amp;te every</source>
        <translation>Aus&amp;werten alle</translation>
    </message>
    <message>
        <source>Evaluate at end</source>
        <translation>Am Ende auswerten</translation>
    </message>
    <message>
        <source>Evaluate on</source>
        <translation>Auswerten auf</translation>
    </message>
    <message>
        <source>all towers</source>
        <translation>allen Towern</translation>
    </message>
    <message>
        <source> towers</source>
        <translation> Towern</translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation>Lade-Threads</translation>
    </message>
    <message>
        <source>Batches ahead</source>
        <translation>Batches voraus</translation>
    </message>
    <message>
        <source>Random crop</source>
        <translation>Zufallsausschnitt</translation>
    </message>
    <message>
        <source>Random flip</source>
        <translation>Zufallsspiegelung</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Standardise</source>
        <translation>Standardisieren</translation>
    </message>
    <message>
        <source>Delay (ms)</source>
        <translation>Verzögerung (ms)</translation>
    </message>
    <message>
        <source>Delayed tower</source>
        <translation>Verzögerter Tower</translation>
    </message>
    <message>
        <source>Gradients every</source>
        <translation>Gradienten alle</translation>
    </message>
    <message>
        <source>Each tower gets its own examples</source>
        <translation>Jeder Tower bekommt eigene Beispiele</translation>
    </message>
    <message>
        <source>same rows</source>
        <translation>gleiche Zeilen</translation>
    </message>
    <message>
        <source>All towers get the rows of tower 0</source>
        <translation>Alle Tower bekommen die Zeilen von Tower 0</translation>
    </message>
    <message>
        <source>skewed tower</source>
        <translation>einseitiger Tower</translation>
    </message>
    <message>
        <source>One tower gets only examples of one class</source>
        <translation>Ein Tower bekommt nur Beispiele einer Klasse</translation>
    </message>
    <message>
        <source>poisoned tower</source>
        <translation>vergifteter Tower</translation>
    </message>
    <message>
        <source>One tower&apos;s labels are random</source>
        <translation>Die Klassen eines Towers sind zufällig</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Which tower</source>
        <translation>Welcher Tower</translation>
    </message>
    <message>
        <source>last</source>
        <translation>der letzte</translation>
    </message>
    <message>
        <source>With class</source>
        <translation>Mit Klasse</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source> checkpoints</source>
        <translation> Checkpoints</translation>
    </message>
    <message>
        <source>as marked</source>
        <translation>wie markiert</translation>
    </message>
    <message>
        <source>%1 pixels wide</source>
        <translation>%1 Pixel breit</translation>
    </message>
    <message>
        <source>Every marked pixel becomes a diamond</source>
        <translation>Jedes markierte Pixel wird zu einer Raute</translation>
    </message>
    <message>
        <source>Balanced where examples have masks</source>
        <translation>Ausgewogen, wo Beispiele Masken haben</translation>
    </message>
    <message>
        <source>balanced</source>
        <translation>ausgewogen</translation>
    </message>
    <message>
        <source>Half of each global batch is defective; a batch of one alternates</source>
        <translation>Die Hälfte jedes globalen Batches ist fehlerhaft; ein Batch von einem wechselt ab</translation>
    </message>
    <message>
        <source>shuffled</source>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>All examples in a new order each epoch</source>
        <translation>Alle Beispiele, in jeder Epoche in neuer Reihenfolge</translation>
    </message>
    <message>
        <source>As the model wants it</source>
        <translation>Wie das Modell es will</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 bis 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 bis 255</translation>
    </message>
    <message>
        <source>pooled</source>
        <translation>gemittelt</translation>
    </message>
    <message>
        <source>Mean of 17 × 17 pixels for each cell</source>
        <translation>Mittel von 17 × 17 Pixeln für jede Zelle</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>drehen</translation>
    </message>
    <message>
        <source>As the camera noted that it was held (EXIF)</source>
        <translation>Wie die Kamera vermerkt hat, dass sie gehalten wurde (EXIF)</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>What the camera noted is left out</source>
        <translation>Was die Kamera vermerkt hat, bleibt außer Acht</translation>
    </message>
    <message>
        <source>Black; masks that mark most of their image are refused</source>
        <translation>Schwarz; Masken, die das meiste ihres Bildes markieren, werden abgelehnt</translation>
    </message>
    <message>
        <source>black</source>
        <translation>schwarz</translation>
    </message>
    <message>
        <source>Anything else is marked, much or little</source>
        <translation>Alles andere ist markiert, viel oder wenig</translation>
    </message>
    <message>
        <source>white</source>
        <translation>weiß</translation>
    </message>
    <message>
        <source>Anything else is marked: inverted masks</source>
        <translation>Alles andere ist markiert: invertierte Masken</translation>
    </message>
    <message>
        <source>reduced</source>
        <translation>verkleinert</translation>
    </message>
    <message>
        <source>1 where anything of the mark is left at an eighth of the size</source>
        <translation>1, wo bei einem Achtel der Größe von der Markierung etwas übrig ist</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Input height</source>
        <translation>Eingabehöhe</translation>
    </message>
    <message>
        <source>as the data</source>
        <translation>wie die Daten</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>die des Modells</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Input width</source>
        <translation>Eingabebreite</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>Merged moments</source>
        <translation>Vereinte Momente</translation>
    </message>
    <message>
        <source>Moment decay</source>
        <translation>Abfall der Momente</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>Anfangsgewichte</translation>
    </message>
    <message>
        <source>Mask to decision</source>
        <translation>Maske → Entscheidung</translation>
    </message>
    <message>
        <source>Decision outputs</source>
        <translation>Entscheidungsausgänge</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Folds</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Test fold</source>
        <translation>Testteil</translation>
    </message>
    <message>
        <source>File of folds</source>
        <translation>Datei der Teile</translation>
    </message>
    <message>
        <source>Wider marks</source>
        <translation>Breitere Masken</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Mirror left, right</source>
        <translation>Links/rechts spiegeln</translation>
    </message>
    <message>
        <source>Mirror top, bottom</source>
        <translation>Oben/unten spiegeln</translation>
    </message>
    <message>
        <source>Pixel range</source>
        <translation>Pixelbereich</translation>
    </message>
    <message>
        <source>Mask labels</source>
        <translation>Maskenlabel</translation>
    </message>
    <message>
        <source>refuse</source>
        <translation>ablehnen</translation>
    </message>
    <message>
        <source>The first damaged image ends the run</source>
        <translation>Das erste beschädigte Bild beendet den Lauf</translation>
    </message>
    <message>
        <source>skip</source>
        <translation>auslassen</translation>
    </message>
    <message>
        <source>Damaged images are left out and named, up to one in a hundred</source>
        <translation>Beschädigte Bilder werden ausgelassen und genannt, bis zu eines von hundert</translation>
    </message>
    <message>
        <source>skip all</source>
        <translation>alle auslassen</translation>
    </message>
    <message>
        <source>Damaged images are left out and named, however many</source>
        <translation>Beschädigte Bilder werden ausgelassen und genannt, wie viele es auch sind</translation>
    </message>
    <message>
        <source>Weights follow their gradient alone</source>
        <translation>Gewichte folgen allein ihrem Gradienten</translation>
    </message>
    <message>
        <source>A part of each step is left in the next one</source>
        <translation>Ein Teil jedes Schrittes bleibt im nächsten erhalten</translation>
    </message>
    <message>
        <source>Steps divided by the root of the mean squared gradient, with momentum</source>
        <translation>Schritte geteilt durch die Wurzel des mittleren quadrierten Gradienten, mit Momentum</translation>
    </message>
    <message>
        <source>The mean gradient divided by the root of the mean squared gradient</source>
        <translation>Der mittlere Gradient geteilt durch die Wurzel des mittleren quadrierten Gradienten</translation>
    </message>
    <message>
        <source>average precision</source>
        <translation>mittlere Präzision</translation>
    </message>
    <message>
        <source>Damaged images</source>
        <translation>Beschädigte Bilder</translation>
    </message>
    <message>
        <source>Orientation</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>Bits of 16</source>
        <translation>Bit von 16</translation>
    </message>
    <message>
        <source>as the file says</source>
        <translation>wie die Datei sagt</translation>
    </message>
    <message>
        <source>Marked from</source>
        <translation>Markiert ab</translation>
    </message>
    <message>
        <source>Mask background</source>
        <translation>Hintergrund der Masken</translation>
    </message>
    <message>
        <source>Patience (s)</source>
        <translation>Geduld (s)</translation>
    </message>
    <message>
        <source>Record files</source>
        <translation>Datensatzdateien</translation>
    </message>
    <message>
        <source>Label offset</source>
        <translation>Klassenversatz</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Decay of squares</source>
        <translation>Abfall der Quadrate</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Epsilon as</source>
        <translation>Epsilon wie</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>TensorFlow</source>
        <translation>TensorFlow</translation>
    </message>
    <message>
        <source>Beside the corrected root</source>
        <translation>Neben der berichtigten Wurzel</translation>
    </message>
    <message>
        <source>Beside the root as it is, so that first steps are smaller</source>
        <translation>Neben der Wurzel, wie sie ist, so dass erste Schritte kleiner sind</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>Farbton</translation>
    </message>
    <message>
        <source>Small decoding</source>
        <translation>Klein dekodieren</translation>
    </message>
    <message>
        <source>test top-5</source>
        <translation>Test-Top-5</translation>
    </message>
    <message>
        <source>Moving averages where the file has some, else its weights</source>
        <translation>Gleitende Mittel, wo die Datei welche hat, sonst ihre Gewichte</translation>
    </message>
    <message>
        <source>moving averages</source>
        <translation>gleitende Mittel</translation>
    </message>
    <message>
        <source>What evaluations score; a file without them is refused</source>
        <translation>Was Auswertungen prüfen; eine Datei ohne sie wird abgelehnt</translation>
    </message>
    <message>
        <source>raw weights</source>
        <translation>rohe Gewichte</translation>
    </message>
    <message>
        <source>The weights as the last step left them</source>
        <translation>Die Gewichte, wie der letzte Schritt sie hinterlassen hat</translation>
    </message>
    <message>
        <source>Checkpoint…</source>
        <translation>Checkpoint…</translation>
    </message>
    <message>
        <source>Weights (*.safetensors);;All files (*)</source>
        <translation>Gewichte (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>random weights</source>
        <translation>zufällige Gewichte</translation>
    </message>
    <message>
        <source>Moment ramp</source>
        <translation>Momente mit Anlauf</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Background class</source>
        <translation>Hintergrundklasse</translation>
    </message>
    <message>
        <source>Variance epsilon</source>
        <translation>Epsilon der Varianz</translation>
    </message>
    <message>
        <source>Dropout keeps</source>
        <translation>Dropout behält</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Geglättete Labels</translation>
    </message>
    <message>
        <source>Auxiliary weight</source>
        <translation>Nebenziel-Gewicht</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Weights from</source>
        <translation>Gewichte aus</translation>
    </message>
    <message>
        <source>Which weights</source>
        <translation>Welche Gewichte</translation>
    </message>
    <message>
        <source>Fresh layers</source>
        <translation>Neue Schichten</translation>
    </message>
    <message>
        <source>not by steps</source>
        <translation>nicht nach Schritten</translation>
    </message>
    <message>
        <source>Save every (min)</source>
        <translation>Sichern alle (min)</translation>
    </message>
    <message>
        <source>Plateau of</source>
        <translation>Plateau von</translation>
    </message>
    <message>
        <source>Stuck (s)</source>
        <translation>Hängt (s)</translation>
    </message>
    <message>
        <source>Input share</source>
        <translation>Datenanteil</translation>
    </message>
    <message>
        <source>Disk for</source>
        <translation>Platz für</translation>
    </message>
    <message>
        <source>Tower&apos;s loss</source>
        <translation>Tower-Loss</translation>
    </message>
    <message>
        <source>Tower&apos;s wait</source>
        <translation>Langsamer Tower</translation>
    </message>
    <message>
        <source>Accuracy on the test set</source>
        <translation>Genauigkeit auf den Testdaten</translation>
    </message>
    <message>
        <source>Share of the test set whose label is among the five most probable classes</source>
        <translation>Anteil der Testmenge, dessen Klasse unter den fünf wahrscheinlichsten ist</translation>
    </message>
    <message>
        <source>Loss on the test set</source>
        <translation>Loss auf den Testdaten</translation>
    </message>
    <message>
        <source>Average precision on the test set of a network that detects</source>
        <translation>Mittlere Präzision auf den Testdaten eines Netzes, das etwas findet</translation>
    </message>
    <message>
        <source>%1, with moving averages</source>
        <translation>%1, mit gleitenden Mitteln</translation>
    </message>
    <message>
        <source>%1, raw</source>
        <translation>%1, roh</translation>
    </message>
    <message>
        <source>%1, with the weights as they are</source>
        <translation>%1, mit den Gewichten, wie sie sind</translation>
    </message>
    <message>
        <source>No GPU: towers share 1 processor</source>
        <translation>Keine GPU: die Tower teilen sich 1 Prozessor</translation>
    </message>
    <message>
        <source>No GPU: towers share %1 processors</source>
        <translation>Keine GPU: die Tower teilen sich %1 Prozessoren</translation>
    </message>
    <message>
        <source>validation images</source>
        <translation>Validierungsbilder</translation>
    </message>
    <message>
        <source>The folder or lines val; those of test are held back</source>
        <translation>Der Ordner oder die Zeilen val; die von test bleiben beiseite</translation>
    </message>
    <message>
        <source>test images</source>
        <translation>Testbilder</translation>
    </message>
    <message>
        <source>The folder or lines test; those of val are held back</source>
        <translation>Der Ordner oder die Zeilen test; die von val bleiben beiseite</translation>
    </message>
    <message>
        <source>warn</source>
        <translation>warnen</translation>
    </message>
    <message>
        <source>A test image that is trained on is told before the first step</source>
        <translation>Ein Testbild, mit dem trainiert wird, wird vor dem ersten Schritt genannt</translation>
    </message>
    <message>
        <source>A test image that is trained on ends the run before its first step</source>
        <translation>Ein Testbild, mit dem trainiert wird, beendet den Lauf vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>ignore</source>
        <translation>übergehen</translation>
    </message>
    <message>
        <source>Images are not compared</source>
        <translation>Bilder werden nicht verglichen</translation>
    </message>
    <message>
        <source>Archive or table…</source>
        <translation>Archiv oder Tabelle…</translation>
    </message>
    <message>
        <source>Archives and tables (*.zip *.tar *.tar.gz *.tgz *.csv);;All files (*)</source>
        <translation>Archive und Tabellen (*.zip *.tar *.tar.gz *.tgz *.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tested on</source>
        <translation>Getestet wird auf</translation>
    </message>
    <message>
        <source>Share for the test</source>
        <translation>Anteil zum Testen</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Duplikate</translation>
    </message>
    <message>
        <source>Passes a step</source>
        <translation>Durchgänge pro Schritt</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Rate schedule</source>
        <translation>Ratenverlauf</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Milestones</source>
        <translation>Meilensteine</translation>
    </message>
    <message>
        <source>Unit of schedule</source>
        <translation>Einheit des Verlaufs</translation>
    </message>
    <message>
        <source>Share at the end</source>
        <translation>Anteil am Ende</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Potenz</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Normgrenze</translation>
    </message>
    <message>
        <source>Decay biases too</source>
        <translation>Auch Biases</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>Geduld</translation>
    </message>
    <message>
        <source> evaluations</source>
        <translation> Auswertungen</translation>
    </message>
    <message>
        <source>As adam, but weights decay apart from their gradient</source>
        <translation>Wie adam, aber Gewichte fallen getrennt von ihrem Gradienten ab</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>exponentiell</translation>
    </message>
    <message>
        <source>Decays again and again after so many epochs</source>
        <translation>Fällt immer wieder nach so vielen Epochen</translation>
    </message>
    <message>
        <source>milestones</source>
        <translation>Meilensteine</translation>
    </message>
    <message>
        <source>Decays at each milestone</source>
        <translation>Fällt an jedem Meilenstein</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Falls along half a cosine until the end of the run</source>
        <translation>Fällt auf einem halben Kosinus bis zum Ende des Laufs</translation>
    </message>
    <message>
        <source>polynomial</source>
        <translation>polynomiell</translation>
    </message>
    <message>
        <source>Falls to the end of the run, in a straight line or a power of it</source>
        <translation>Fällt bis zum Ende des Laufs, geradlinig oder als Potenz davon</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Passes over the training set</source>
        <translation>Durchläufe der Trainingsmenge</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Aktualisierungen</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Random erasing</source>
        <translation>Zufälliges Auslöschen</translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation>Mixup</translation>
    </message>
    <message>
        <source>Convolutions</source>
        <translation>Faltungen</translation>
    </message>
    <message>
        <source>Recorded by %1</source>
        <translation>Aufgezeichnet von %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
</context>
<context>
    <name>RunResults</name>
    <message>
        <source>Best test accuracy</source>
        <translation>Beste Testgenauigkeit</translation>
    </message>
    <message>
        <source>Test accuracy after %1 of training</source>
        <translation>Testgenauigkeit nach %1 Training</translation>
    </message>
    <message>
        <source>Lowest cross-entropy of a step</source>
        <translation>Kleinste Kreuzentropie eines Schritts</translation>
    </message>
    <message>
        <source>Lowest loss of a step</source>
        <translation>Kleinster Loss eines Schritts</translation>
    </message>
    <message>
        <source>Examples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Trained for</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Steps done</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>RunTitle</name>
    <message>
        <source>%1, %2</source>
        <comment>network, data set</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>rate %1</source>
        <translation>Rate %1</translation>
    </message>
    <message>
        <source>1 tower</source>
        <translation>1 Tower</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>same rows for all</source>
        <translation>dieselben Zeilen für alle</translation>
    </message>
    <message>
        <source>tower %1 skewed</source>
        <translation>Tower %1 schief</translation>
    </message>
    <message>
        <source>tower %1 poisoned</source>
        <translation>Tower %1 vergiftet</translation>
    </message>
    <message>
        <source>tower %1 late</source>
        <translation>Tower %1 verspätet</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
</context>
<context>
    <name>RunValidator</name>
    <message>
        <source>%1: the checkpoint is not of model &apos;%2&apos;: it has no fitting &apos;%3&apos;</source>
        <translation>%1: der Checkpoint ist nicht vom Modell „%2“: ihm fehlt ein passendes „%3“</translation>
    </message>
    <message>
        <source>steps is %L1, but the checkpoint is already at step %L2; choose more</source>
        <translation>steps ist %L1, aber der Checkpoint ist schon bei Schritt %L2; wählen Sie mehr</translation>
    </message>
    <message>
        <source>CIFAR-10 was not found on this computer: choose its folder, or get it with Run, Get CIFAR-10</source>
        <translation>CIFAR-10 wurde auf diesem Rechner nicht gefunden: wählen Sie seinen Ordner, oder holen Sie es mit Lauf, CIFAR-10 holen</translation>
    </message>
    <message>
        <source>Choose at least one GPU</source>
        <translation>Wählen Sie mindestens eine GPU</translation>
    </message>
    <message>
        <source>%1: files of CIFAR-10 are missing or incomplete; choose another folder, or get the data with Run, Get CIFAR-10</source>
        <translation>%1: Dateien von CIFAR-10 fehlen oder sind unvollständig; wählen Sie einen anderen Ordner, oder holen Sie die Daten mit Lauf, CIFAR-10 holen</translation>
    </message>
    <message>
        <source>%1: process %2 is training this run; stop it there first</source>
        <translation>%1: Prozess %2 trainiert diesen Lauf; stoppen Sie ihn erst dort</translation>
    </message>
    <message>
        <source>%1: no run to continue</source>
        <translation>%1: hier ist kein Lauf, der fortgesetzt werden könnte</translation>
    </message>
    <message>
        <source>%1: a run is there already; go on with it, or choose another folder</source>
        <translation>%1: hier ist schon ein Lauf; setzen Sie ihn fort, oder wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>%1: not an empty folder; choose another one for the run</source>
        <translation>%1: kein leerer Ordner; wählen Sie einen anderen für den Lauf</translation>
    </message>
    <message>
        <source>%1: this folder can&apos;t be written; choose another one</source>
        <translation>%1: in diesen Ordner kann nicht geschrieben werden; wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>%1 can&apos;t train with %2</source>
        <translation>%1 kann nicht mit %2 trainieren</translation>
    </message>
    <message>
        <source>%1; use float32</source>
        <translation>%1; nehmen Sie float32</translation>
    </message>
    <message>
        <source>%1: no folder or archive of this name exists</source>
        <translation>%1: einen solchen Ordner oder ein solches Archiv gibt es nicht</translation>
    </message>
    <message>
        <source>%1 was not found on this computer: choose its folder or archive</source>
        <translation>%1 wurde auf diesem Computer nicht gefunden: Ordner oder Archiv wählen</translation>
    </message>
    <message>
        <source>%1 was not found on %2: enter where it lies there</source>
        <translation>%1 wurde auf %2 nicht gefunden: eingeben, wo es dort liegt</translation>
    </message>
    <message>
        <source>A checkpoint of this computer is not on %1: disconnect first</source>
        <translation>Ein Checkpoint dieses Computers ist nicht auf %1: erst trennen</translation>
    </message>
    <message>
        <source>%1 has no GPU that can be used</source>
        <translation>%1 hat keine nutzbare GPU</translation>
    </message>
    <message>
        <source>%1 is made by the program that trained with it, which alone can go on: choose another data set</source>
        <translation>%1 kommt aus dem Programm, das damit trainiert hat und allein weitermachen kann: wählen Sie einen anderen Datensatz</translation>
    </message>
    <message>
        <source>choose the folder or archive of your pictures</source>
        <translation>Ordner oder Archiv Ihrer Bilder wählen</translation>
    </message>
</context>
<context>
    <name>StatusText</name>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>smoothing %1</source>
        <translation>Glättung %1</translation>
    </message>
    <message>
        <source>not smoothed</source>
        <translation>nicht geglättet</translation>
    </message>
    <message>
        <source>%1 point off scale ↑</source>
        <translation>%1 Punkt außerhalb ↑</translation>
    </message>
    <message>
        <source>%1 points off scale ↑</source>
        <translation>%1 Punkte außerhalb ↑</translation>
    </message>
    <message>
        <source>%1 point off scale ↓</source>
        <translation>%1 Punkt außerhalb ↓</translation>
    </message>
    <message>
        <source>%1 points off scale ↓</source>
        <translation>%1 Punkte außerhalb ↓</translation>
    </message>
    <message>
        <source>part of the values only</source>
        <translation>nur ein Teil der Werte</translation>
    </message>
    <message>
        <source>1 NaN at %1</source>
        <translation>1 NaN bei %1</translation>
    </message>
    <message>
        <source>%1 NaN, first at %2</source>
        <translation>%1 NaN, zuerst bei %2</translation>
    </message>
    <message>
        <source>%1 value ≤ 0 not on the log axis</source>
        <translation>%1 Wert ≤ 0 nicht auf der Log-Achse</translation>
    </message>
    <message>
        <source>%1 values ≤ 0 not on the log axis</source>
        <translation>%1 Werte ≤ 0 nicht auf der Log-Achse</translation>
    </message>
    <message>
        <source>%1 step at 0 not on the log axis</source>
        <translation>%1 Schritt bei 0 nicht auf der Log-Achse</translation>
    </message>
    <message>
        <source>%1 steps at 0 not on the log axis</source>
        <translation>%1 Schritte bei 0 nicht auf der Log-Achse</translation>
    </message>
    <message>
        <source>Every step is drawn, and smoothed. Off scale: beyond an edge, where arrows stand (O brings them in).
NaN: losses that are not numbers; a cross marks their place.</source>
        <translation>Jeder Schritt ist gezeichnet und geglättet. Außerhalb: jenseits eines Rands, wo Pfeile stehen (O holt sie herein).
NaN: Losse, die keine Zahlen sind; ein Kreuz markiert ihren Ort.</translation>
    </message>
</context>
<context>
    <name>StepPhase</name>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Waiting for the batch: the input was not ready.</source>
        <translation>Warten auf den Batch: die Eingabe war nicht bereit.</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>Anstehen</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copying the tower&apos;s rows of the batch to its device.</source>
        <translation>Kopieren der Zeilen des Towers auf sein Gerät.</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>The network forward, to the loss.</source>
        <translation>Das Netz vorwärts, bis zum Loss.</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>The network backward, to the gradient.</source>
        <translation>Das Netz rückwärts, bis zum Gradienten.</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Waiting at the barrier: this tower is done, the last one is not.</source>
        <translation>Warten an der Barriere: dieser Tower ist fertig, der letzte nicht.</translation>
    </message>
    <message>
        <source>averaging</source>
        <translation>Mitteln</translation>
    </message>
    <message>
        <source>Averaging the gradients of all towers, and checking them.</source>
        <translation>Mitteln der Gradienten aller Tower, und Prüfen.</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>One update of the weights, for all towers.</source>
        <translation>Ein Update der Gewichte, für alle Tower.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>The tower&apos;s device does not report what it does in this time.</source>
        <translation>Das Gerät des Towers meldet nicht, was es in dieser Zeit tut.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Waiting for its turn: there are more towers than processors, or another program has them, or the tower&apos;s GPU has not begun yet.</source>
        <translation>Warten, bis er an der Reihe ist: es gibt mehr Tower als Prozessoren, ein anderes Programm hat sie, oder die GPU des Towers hat noch nicht begonnen.</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>geteilt</translation>
    </message>
    <message>
        <source>late</source>
        <translation>verspätet</translation>
    </message>
    <message>
        <source>It began later than the first one: it was not yet done with the step before.</source>
        <translation>Er begann später als der erste: er war mit dem Schritt davor noch nicht fertig.</translation>
    </message>
    <message>
        <source>own data</source>
        <translation>eigene Daten</translation>
    </message>
    <message>
        <source>Waiting for its own batch: others had theirs already.</source>
        <translation>Warten auf den eigenen Batch: andere hatten ihren schon.</translation>
    </message>
    <message>
        <source>This tower is done, others that share its GPU or its processors are not: none of them waits.</source>
        <translation>Dieser Tower ist fertig, andere, die sich seine GPU oder seine Prozessoren mit ihm teilen, noch nicht: keiner von ihnen wartet.</translation>
    </message>
</context>
<context>
    <name>StoredRun</name>
    <message>
        <source>Checkpoint of step %1: %2</source>
        <translation>Checkpoint von Schritt %1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::AboutDialog</name>
    <message>
        <source>About Lockstep</source>
        <translation>Über Lockstep</translation>
    </message>
    <message>
        <source>This program is free software under the GNU General Public License, version 3 or later. Its engine and lockstep-train are under the Apache License 2.0 and can be used without the window. There is no warranty. The texts of both licences come with the source, in the folder LICENSES.</source>
        <translation>Dieses Programm ist freie Software unter der GNU General Public License, Version 3 oder später. Sein Kern und lockstep-train stehen unter der Apache License 2.0 und sind ohne das Fenster nutzbar. Es gibt keine Gewährleistung. Die Texte beider Lizenzen liegen beim Quelltext, im Ordner LICENSES.</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Lockstep %1</source>
        <translation>Lockstep %1</translation>
    </message>
    <message>
        <source>Trains one network in several towers, one update for all, and shows what happens.</source>
        <translation>Trainiert ein Netz in mehreren Towern, ein Update für alle, und zeigt, was geschieht.</translation>
    </message>
    <message>
        <source>Revision %1</source>
        <translation>Revision %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::AlertDesk</name>
    <message>
        <source>The loss is not a number</source>
        <translation>Der Loss ist keine Zahl</translation>
    </message>
    <message>
        <source>The loss does not fall any more</source>
        <translation>Der Loss sinkt nicht mehr</translation>
    </message>
    <message>
        <source>The run seems to be stuck</source>
        <translation>Der Lauf scheint zu hängen</translation>
    </message>
    <message>
        <source>The towers wait for data</source>
        <translation>Die Tower warten auf Daten</translation>
    </message>
    <message>
        <source>The disk is nearly full</source>
        <translation>Die Platte ist fast voll</translation>
    </message>
    <message>
        <source>A tower drifts from the others</source>
        <translation>Ein Tower driftet von den anderen weg</translation>
    </message>
    <message>
        <source>A tower is slow</source>
        <translation>Ein Tower ist langsam</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Lower the Learning Rate…</source>
        <translation>Lernrate senken…</translation>
    </message>
    <message>
        <source>Show Folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Show Towers</source>
        <translation>Tower zeigen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>It ended after %1 steps; the log says more.</source>
        <translation>Er endete nach %1 Schritten; das Log sagt mehr.</translation>
    </message>
    <message>
        <source>%1 has finished</source>
        <translation>%1 ist fertig</translation>
    </message>
    <message>
        <source>All %1 steps are done.</source>
        <translation>Alle %1 Schritte sind getan.</translation>
    </message>
    <message>
        <source>%1 has stopped</source>
        <translation>%1 ist gestoppt</translation>
    </message>
    <message>
        <source>%1 steps are done and saved.</source>
        <translation>%1 Schritte sind getan und gesichert.</translation>
    </message>
    <message>
        <source>%1 was ended by an error</source>
        <translation>%1 wurde durch einen Fehler beendet</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>Der Lauf</translation>
    </message>
    <message>
        <source>The network does not learn</source>
        <translation>Das Netz lernt nicht</translation>
    </message>
    <message>
        <source>All towers get the same rows</source>
        <translation>Alle Tower bekommen dieselben Zeilen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BackwardBars</name>
    <message>
        <source>Tower %1: backward pass %2 from outside, %3 without the sum over all ranks</source>
        <translation>Tower %1: Rückwärtslauf %2 von außen, %3 ohne die Summe über alle Ränge</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BalancePage</name>
    <message>
        <source>Examples of each class</source>
        <translation>Beispiele jeder Klasse</translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation>je %1</translation>
    </message>
    <message>
        <source>the largest class (%1: %2) has %3 times as many as the smallest (%4: %5)</source>
        <translation>die größte Klasse (%1: %2) hat %3-mal so viele wie die kleinste (%4: %5)</translation>
    </message>
    <message>
        <source>1 class has no examples: %1</source>
        <translation>1 Klasse hat keine Beispiele: %1</translation>
    </message>
    <message>
        <source>%1 classes have no examples: %2</source>
        <translation>%1 Klassen haben keine Beispiele: %2</translation>
    </message>
    <message>
        <source>%1: %2 examples of %3 classes</source>
        <translation>%1: %2 Beispiele aus %3 Klassen</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Batches are balanced: each is half clean, half defective.</source>
        <translation>Batches sind ausgewogen: jeder ist zur Hälfte fehlerfrei, zur Hälfte fehlerhaft.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BarrierBars</name>
    <message>
        <source>Tower %1, %2: %3</source>
        <translation>Tower %1, %2: %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>phase and time</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>tower %1: %2</source>
        <translation>Tower %1: %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BarrierPanel</name>
    <message>
        <source>Barrier clock</source>
        <translation>Barrierenuhr</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
    <message>
        <source>Last steps</source>
        <translation>Letzte Schritte</translation>
    </message>
    <message>
        <source>Each tower&apos;s work in its colour. A tick marks the arrival that the step waited for.</source>
        <translation>Die Arbeit jedes Towers in seiner Farbe. Ein Strich markiert die Ankunft, auf die der Schritt wartete.</translation>
    </message>
    <message>
        <source>Came last</source>
        <translation>Kam zuletzt</translation>
    </message>
    <message>
        <source>Phases of the last step</source>
        <translation>Phasen des letzten Schritts</translation>
    </message>
    <message>
        <source>Mean over the towers</source>
        <translation>Mittel über die Tower</translation>
    </message>
    <message>
        <source>Last steps in time</source>
        <translation>Letzte Schritte im Zeitverlauf</translation>
    </message>
    <message>
        <source>Which tower came last</source>
        <translation>Welcher Tower zuletzt kam</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>%1 steps, %2</source>
        <translation>%1 Schritte, %2</translation>
    </message>
    <message>
        <source>share of %1 steps</source>
        <translation>Anteil von %1 Schritten</translation>
    </message>
    <message>
        <source>After the first step this shows where the time goes in each tower, and which tower the others wait for.</source>
        <translation>Mit dem ersten Schritt wird hier gezeigt, wohin die Zeit in jedem Tower geht, und auf wen die anderen warten.</translation>
    </message>
    <message>
        <source>The devices of this run do not report when a tower arrives at the barrier: the phases of the towers are unknown.</source>
        <translation>Die Geräte dieses Laufs melden nicht, wann ein Tower an der Barriere ankommt: die Phasen der Tower sind unbekannt.</translation>
    </message>
    <message>
        <source>A single tower never waits for another.</source>
        <translation>Ein einzelner Tower muss auf keinen anderen warten.</translation>
    </message>
    <message>
        <source>The tower that arrived last at the barrier. Where towers share a processor, the one that worked longest among those that ran one after another until then. Where they share a GPU, the last one of the GPU that was done last.</source>
        <translation>Der Tower, der zuletzt an der Barriere ankam. Wo sich Tower einen Prozessor teilen, der, der von denen, die bis dahin nacheinander liefen, am längsten arbeitete. Wo sie sich eine GPU teilen, der letzte der GPU, die zuletzt fertig war.</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>with its all-reduce, and without</source>
        <translation>mit und ohne All-Reduce</translation>
    </message>
    <message>
        <source>Backward passes, from outside and by themselves</source>
        <translation>Rückwärtsläufe, von außen und für sich</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BarrierStrip</name>
    <message>
        <source>Step %1, tower %2</source>
        <translation>Schritt %1, Tower %2</translation>
    </message>
    <message>
        <source>%1 at work, %2 waiting at the barrier</source>
        <translation>%1 bei der Arbeit, %2 Warten an der Barriere</translation>
    </message>
    <message>
        <source>When each tower worked in the last steps, and when it waited. The arrow keys go through steps and towers.</source>
        <translation>Wann jeder Tower in den letzten Schritten arbeitete, und wann er wartete. Die Pfeiltasten gehen durch Schritte und Tower.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BarrierTally</name>
    <message>
        <source>tower %1: %2</source>
        <translation>Tower %1: %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Tower %1 came last in %2 of %3 steps.
It costs %4 a step: all would have arrived this much earlier if it had worked as fast as the median of the others.
It waits %5 a step at the barrier, and %6 for its turn.</source>
        <translation>Tower %1 kam in %2 von %3 Schritten zuletzt.
Das kostet %4 pro Schritt: um so viel früher wären alle da gewesen, hätte er so schnell wie der Median der anderen gearbeitet.
Er wartet %5 pro Schritt an der Barriere, und %6, bis er an der Reihe ist.</translation>
    </message>
    <message>
        <source>Tower %1 came last in %2 of %3 steps.
It costs %4 a step: all would have arrived this much earlier if it had worked as fast as the median of the others.
It waits %5 a step at the barrier, and begins %6 after the first.</source>
        <translation>Tower %1 kam in %2 von %3 Schritten zuletzt.
Das kostet %4 pro Schritt: um so viel früher wären alle da gewesen, hätte er so schnell wie der Median der anderen gearbeitet.
Er wartet %5 pro Schritt an der Barriere und beginnt %6 nach dem ersten.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BatchLink</name>
    <message>
        <source>Keep the global batch</source>
        <translation>Globalen Batch festhalten</translation>
    </message>
    <message>
        <source>Keep the batch per tower</source>
        <translation>Batch pro Tower festhalten</translation>
    </message>
    <message>
        <source>Closed: the global batch stays when the number of towers changes</source>
        <translation>Geschlossen: der globale Batch bleibt, wenn sich die Zahl der Tower ändert</translation>
    </message>
    <message>
        <source>Closed: the batch per tower stays when the number of towers changes</source>
        <translation>Geschlossen: der Batch pro Tower bleibt, wenn sich die Zahl der Tower ändert</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BatchPreview</name>
    <message>
        <source>The data set is on %1: “Evaluation” shows the images of its test set.</source>
        <translation>Der Datensatz liegt auf %1: „Auswertung“ zeigt die Bilder seiner Testmenge.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChangeCommands</name>
    <message>
        <source>Change Learning Rate</source>
        <translation>Lernrate ändern</translation>
    </message>
    <message>
        <source>The training is saved first, as a pinned checkpoint. From the next step on it goes on with this learning rate, which decays on from there.</source>
        <translation>Zuerst wird das Training als angehefteter Checkpoint gesichert. Vom nächsten Schritt an geht es mit dieser Lernrate weiter, die von da an abfällt.</translation>
    </message>
    <message>
        <source>&amp;Learning rate</source>
        <translation>&amp;Lernrate</translation>
    </message>
    <message>
        <source>It was %1 in the last step.</source>
        <translation>Im letzten Schritt war sie %1.</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Change Number of Steps</source>
        <translation>Schrittzahl ändern</translation>
    </message>
    <message>
        <source>Continue with More Steps</source>
        <translation>Mit mehr Schritten weiter</translation>
    </message>
    <message>
        <source>Train to how many steps in total?</source>
        <translation>Bis zu wie vielen Schritten insgesamt trainieren?</translation>
    </message>
    <message>
        <source>The run goes on from its newest checkpoint. Train to how many steps in total?</source>
        <translation>Der Lauf geht von seinem neuesten Checkpoint weiter. Bis zu wie vielen Schritten insgesamt trainieren?</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>&amp;Schritte</translation>
    </message>
    <message>
        <source>%1 of %2 are made.</source>
        <translation>%1 von %2 sind gemacht.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>%1 steps are already done</source>
        <translation>%1 Schritte sind schon getan</translation>
    </message>
    <message>
        <source>The run can&apos;t be changed now: its learning rate stays as it was.</source>
        <translation>Der Lauf kann jetzt nicht geändert werden: seine Lernrate bleibt, wie sie war.</translation>
    </message>
    <message>
        <source>The run can&apos;t be changed now: its number of steps stays as it was.</source>
        <translation>Der Lauf kann jetzt nicht geändert werden: die Zahl der Schritte bleibt, wie sie war.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartCommands</name>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>Zeichnungen (*.svg)</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>&amp;Copy Chart</source>
        <translation>Diagramm &amp;kopieren</translation>
    </message>
    <message>
        <source>Export Charts</source>
        <translation>Diagramme exportieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Written: %1 (%2)</source>
        <translation>Geschrieben: %1 (%2)</translation>
    </message>
    <message>
        <source>Copied: %1 (%2)</source>
        <translation>Kopiert: %1 (%2)</translation>
    </message>
    <message>
        <source>charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>&amp;Export Chart…</source>
        <translation>Diagramm &amp;exportieren…</translation>
    </message>
    <message>
        <source>Save Picture</source>
        <translation>Bild speichern</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartControls</name>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>&amp;X axis</source>
        <translation>&amp;X-Achse</translation>
    </message>
    <message>
        <source>The lines are the trend over the steps around each, which count less the farther they are: by this
factor a step, less while a run is short. The values as they are stay visible behind them.</source>
        <translation>Die Linien sind der Trend über die Schritte ringsum, die umso weniger zählen, je weiter sie weg sind: um
diesen Faktor je Schritt, um weniger, solange ein Lauf kurz ist. Die Werte selbst bleiben dahinter sichtbar.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>X axis of all charts</source>
        <translation>X-Achse aller Diagramme</translation>
    </message>
    <message>
        <source>What the x axis of all charts counts</source>
        <translation>Was die x-Achse aller Diagramme zählt</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Logarithmic y axis of the loss (L in the chart)</source>
        <translation>Logarithmische y-Achse des Loss (L im Diagramm)</translation>
    </message>
    <message>
        <source>Logarithmic &amp;x Axis</source>
        <translation>Logarithmische &amp;x-Achse</translation>
    </message>
    <message>
        <source>Leave &amp;Outliers off Scale (O in the chart)</source>
        <translation>&amp;Ausreißer außen lassen (O im Diagramm)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Show the whole run (Home)</source>
        <translation>Den ganzen Lauf zeigen (Pos1)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the zoom and move with the newest step (End)</source>
        <translation>Zoom behalten und dem neuesten Schritt folgen (Ende)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartsPanel</name>
    <message>
        <source>left behind from step %1</source>
        <translation>zurückgelassen ab Schritt %1</translation>
    </message>
    <message>
        <source>%1 – not comparable, %2</source>
        <translation>%1 – nicht vergleichbar, %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CheckpointCommands</name>
    <message>
        <source>The evaluation was cancelled.</source>
        <translation>Die Auswertung wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Evaluating the checkpoint of step %1 on the test set: %2 %</source>
        <translation>Der Checkpoint von Schritt %1 wird auf den Testdaten ausgewertet: %2 %</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Checkpoint of step %1: test accuracy %2, loss %3, %4 (%5 examples, %6)</source>
        <translation>Checkpoint von Schritt %1: Testgenauigkeit %2, Loss %3, %4 (%5 Beispiele, %6)</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>weights as they are</source>
        <translation>Gewichte, wie sie sind</translation>
    </message>
    <message>
        <source>moving average</source>
        <translation>gleitendes Mittel</translation>
    </message>
    <message>
        <source> The run doesn&apos;t keep this: %1.</source>
        <translation> Der Lauf behält das nicht: %1.</translation>
    </message>
    <message>
        <source>Save a Copy</source>
        <translation>Kopie sichern</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors)</source>
        <translation>Checkpoints (*.safetensors)</translation>
    </message>
    <message>
        <source>Fetching %1 from %2: %3 %</source>
        <translation>Holt %1 von %2: %3 %</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gesichert: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CheckpointMenu</name>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>&amp;Resume from Here</source>
        <translation>Von hier &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Goes on with the run from this checkpoint; the steps after it are kept as an abandoned branch</source>
        <translation>Setzt den Lauf von diesem Checkpoint fort; die Schritte danach bleiben als verlassener Zweig erhalten</translation>
    </message>
    <message>
        <source>&amp;Branch with Changes…</source>
        <translation>Mit Änderungen ab&amp;zweigen…</translation>
    </message>
    <message>
        <source>The same, but the settings can be changed first: learning rate, steps, towers, batch</source>
        <translation>Dasselbe, aber zuvor lassen sich Einstellungen ändern: Lernrate, Schritte, Tower, Batch</translation>
    </message>
    <message>
        <source>&amp;New Run from Its State</source>
        <translation>&amp;Neuer Lauf von diesem Zustand</translation>
    </message>
    <message>
        <source>Sets up another run that starts from this state, with its step and optimizer</source>
        <translation>Richtet einen weiteren Lauf ein, der von diesem Zustand ausgeht, mit Schritt und Optimierer</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>Aus&amp;werten</translation>
    </message>
    <message>
        <source>Scores it on the test set</source>
        <translation>Bewertet ihn auf den Testdaten</translation>
    </message>
    <message>
        <source>Un&amp;pin</source>
        <translation>&amp;Lösen</translation>
    </message>
    <message>
        <source>The run may delete it again when it has newer ones</source>
        <translation>Der Lauf darf ihn wieder löschen, wenn er neuere hat</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>An&amp;heften</translation>
    </message>
    <message>
        <source>Keeps it forever: the run never deletes it</source>
        <translation>Behält ihn für immer: der Lauf löscht ihn nie</translation>
    </message>
    <message>
        <source>&amp;Show in Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Its file in the file manager</source>
        <translation>Seine Datei in der Dateiverwaltung</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>Testgenauigkeit</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>&amp;Fine-Tune from This Checkpoint…</source>
        <translation>&amp;Feinabstimmung von diesem Checkpoint…</translation>
    </message>
    <message>
        <source>Sets up another run at step 0 with those of its weights that fit, and nothing else</source>
        <translation>Richtet einen anderen Lauf ab Schritt 0 ein, mit den passenden Gewichten und sonst nichts</translation>
    </message>
    <message>
        <source>The checkpoint is on %1: save a copy here first</source>
        <translation>Der Checkpoint liegt auf %1: erst hier eine Kopie sichern</translation>
    </message>
    <message>
        <source>&amp;Save a Copy Here…</source>
        <translation>&amp;Kopie hier sichern…</translation>
    </message>
    <message>
        <source>Fetches its file from the machine</source>
        <translation>Holt seine Datei vom Rechner</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CheckpointModel</name>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>pinned, best</source>
        <translation>angeheftet, beste</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Updates that the weights have seen</source>
        <translation>Updates, die die Gewichte gesehen haben</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>On the test set, with moving averages where the run has some, if it was evaluated there</source>
        <translation>Auf den Testdaten, mit gleitenden Mitteln, wo der Lauf welche hat, wenn er dort ausgewertet wurde</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Pinned: the run never deletes it. Best: of the checkpoints here, by the measure that the run is set to</source>
        <translation>Angeheftet: der Lauf löscht ihn nie. Beste: von den Checkpoints hier, nach dem Maß, das im Lauf eingestellt ist</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Why it was written</source>
        <translation>Warum er geschrieben wurde</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Name of the file</source>
        <translation>Name der Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of the file</source>
        <translation>Größe der Datei</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>When the file was written</source>
        <translation>Wann die Datei geschrieben wurde</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CheckpointPanel</name>
    <message>
        <source>Checkpoints of the run that is shown</source>
        <translation>Checkpoints des gezeigten Laufs</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>All that can be done with this checkpoint</source>
        <translation>Alles, was mit diesem Checkpoint getan werden kann</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Cifar10Dialog</name>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source>60,000 colour images of 32 × 32 pixels in ten classes. The official archive, %1 from www.cs.toronto.edu, is fetched, checked by its SHA-256 and unpacked to %2. It needs %3 of free space while it runs.</source>
        <translation>60.000 farbige Bilder von 32 × 32 Pixeln in zehn Klassen. Das offizielle Archiv, %1 von www.cs.toronto.edu, wird geholt, an seiner SHA-256 geprüft und zu %2 entpackt. Währenddessen werden %3 freier Platz gebraucht.</translation>
    </message>
    <message>
        <source>1 of 3: downloading · %1 of %2</source>
        <translation>1 von 3: Herunterladen · %1 von %2</translation>
    </message>
    <message>
        <source>%1 · %2/s · %3</source>
        <translation>%1 · %2/s · %3</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Get CIFAR-10</source>
        <translation>CIFAR-10 holen</translation>
    </message>
    <message>
        <source>Progress of the download</source>
        <translation>Fortschritt des Herunterladens</translation>
    </message>
    <message>
        <source>State of the download</source>
        <translation>Stand des Herunterladens</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>The folder cifar-10-batches-bin is created in here. Nothing that is there is replaced</source>
        <translation>Hierin wird der Ordner cifar-10-batches-bin angelegt. Was da ist, wird nicht ersetzt</translation>
    </message>
    <message>
        <source>Chooses the folder</source>
        <translation>Wählt den Ordner</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Stops the download and keeps what has arrived</source>
        <translation>Hält das Herunterladen an und behält, was angekommen ist</translation>
    </message>
    <message>
        <source>Cancelled. What has arrived is kept: “Go On” fetches the rest, now or later.</source>
        <translation>Abgebrochen. Was angekommen ist, bleibt: „Weiter“ holt den Rest, jetzt oder später.</translation>
    </message>
    <message>
        <source>%1.
Check the connection and the folder, then press “Try Again”: it goes on with what was kept.</source>
        <translation>%1.
Prüfen Sie Verbindung und Ordner, dann „Nochmals“: es geht mit dem weiter, was da ist.</translation>
    </message>
    <message>
        <source>Folder for CIFAR-10</source>
        <translation>Ordner für CIFAR-10</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Choose a folder.</source>
        <translation>Wählen Sie einen Ordner.</translation>
    </message>
    <message>
        <source>&amp;Go On</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>&amp;Try Again</source>
        <translation>&amp;Nochmals</translation>
    </message>
    <message>
        <source>&amp;Get</source>
        <translation>&amp;Holen</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>Ver&amp;bergen</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Closes this window; the download goes on</source>
        <translation>Schließt dieses Fenster; das Herunterladen geht weiter</translation>
    </message>
    <message>
        <source>2 of 3: comparing the checksum</source>
        <translation>2 von 3: Prüfsumme vergleichen</translation>
    </message>
    <message>
        <source>3 of 3: unpacking</source>
        <translation>3 von 3: Entpacken</translation>
    </message>
    <message>
        <source>CIFAR-10 was already there and is complete; nothing was downloaded.
%1</source>
        <translation>CIFAR-10 war schon da und ist vollständig; nichts wurde heruntergeladen.
%1</translation>
    </message>
    <message>
        <source>CIFAR-10 is ready.
%1</source>
        <translation>CIFAR-10 ist bereit.
%1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClassAnswer</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>An image and its most probable classes</source>
        <translation>Ein Bild und seine wahrscheinlichsten Klassen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (the label)</source>
        <translation>%1 (die wahre Klasse)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClassBalanceModel</name>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>Number of the class</source>
        <translation>Nummer der Klasse</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Name of the class</source>
        <translation>Name der Klasse</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Examples of the training set; the bar is full for the largest class</source>
        <translation>Beispiele der Trainingsdaten; bei der größten Klasse ist der Balken voll</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of the training set</source>
        <translation>Anteil an den Trainingsdaten</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Examples of the test set; the bar is full for the largest class</source>
        <translation>Beispiele der Testdaten; bei der größten Klasse ist der Balken voll</translation>
    </message>
    <message>
        <source>Share of the test set</source>
        <translation>Anteil an den Testdaten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClassFiguresModel</name>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>What the images are</source>
        <translation>Was die Bilder sind</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Test images of this class</source>
        <translation>Testbilder dieser Klasse</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Test images that the network takes for this class</source>
        <translation>Testbilder, die das Netz für diese Klasse hält</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <source>Share of the images of this class that are taken for it</source>
        <translation>Anteil der Bilder dieser Klasse, die für sie gehalten werden</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Share of the images taken for this class that are of it</source>
        <translation>Anteil der für diese Klasse gehaltenen Bilder, die zu ihr gehören</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Harmonic mean of precision and recall: 2 · P · R ÷ (P + R)</source>
        <translation>Harmonisches Mittel von Präzision und Trefferquote: 2 · P · R ÷ (P + R)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClassImageModel</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Its number in the test set</source>
        <translation>Seine Nummer in der Testmenge</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>The class that the network calls most probable</source>
        <translation>Die Klasse, die das Netz für am wahrscheinlichsten hält</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>What the network gives the predicted class</source>
        <translation>Die das Netz der vorhergesagten Klasse gibt</translation>
    </message>
    <message>
        <source>Of the label</source>
        <translation>Der wahren Klasse</translation>
    </message>
    <message>
        <source>The probability that the network gives the label</source>
        <translation>Die Wahrscheinlichkeit, die das Netz der wahren Klasse gibt</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>-log of the probability of the label: the larger, the more wrong is the network</source>
        <translation>-log der Wahrscheinlichkeit der wahren Klasse: je größer, desto falscher liegt das Netz</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClassTable</name>
    <message>
        <source>Images of the evaluation</source>
        <translation>Bilder der Auswertung</translation>
    </message>
    <message>
        <source>Label of the images listed</source>
        <translation>Wahre Klasse der Bilder in der Liste</translation>
    </message>
    <message>
        <source>What the images listed were taken for</source>
        <translation>Wofür die Bilder in der Liste gehalten wurden</translation>
    </message>
    <message>
        <source>All labels</source>
        <translation>Alle Klassen</translation>
    </message>
    <message>
        <source>All predictions</source>
        <translation>Alle Vorhersagen</translation>
    </message>
    <message>
        <source>Wrong ones</source>
        <translation>Nur falsche</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>%1 von %2 Bildern</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ConfigurationDifferenceDialog</name>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Both runs have the same configuration</source>
        <translation>Beide Läufe haben dieselbe Konfiguration</translation>
    </message>
    <message>
        <source>1 setting differs</source>
        <translation>1 Einstellung ist verschieden</translation>
    </message>
    <message>
        <source>%1 settings differ</source>
        <translation>%1 Einstellungen sind verschieden</translation>
    </message>
    <message>
        <source>Show &amp;all settings</source>
        <translation>&amp;Alle Einstellungen zeigen</translation>
    </message>
    <message>
        <source>Copies the rows that are shown, as text</source>
        <translation>Kopiert die gezeigten Zeilen als Text</translation>
    </message>
    <message>
        <source>Compare Runs</source>
        <translation>Läufe vergleichen</translation>
    </message>
    <message>
        <source>Results and settings of the two runs</source>
        <translation>Ergebnisse und Einstellungen der beiden Läufe</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ConfusedPairModel</name>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>What the images are</source>
        <translation>Was die Bilder sind</translation>
    </message>
    <message>
        <source>Taken for</source>
        <translation>Gehalten für</translation>
    </message>
    <message>
        <source>What the network calls them</source>
        <translation>Wofür das Netz sie hält</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>How many of them</source>
        <translation>Wie viele davon</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of all images with this label</source>
        <translation>An allen Bildern dieser Klasse</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ConfusionPanel</name>
    <message>
        <source>Per cent</source>
        <translation>Prozent</translation>
    </message>
    <message>
        <source>Classes that are confused</source>
        <translation>Klassen, die verwechselt werden</translation>
    </message>
    <message>
        <source>Recall and precision of each class</source>
        <translation>Trefferquote und Präzision jeder Klasse</translation>
    </message>
    <message>
        <source>What is shown of the evaluation</source>
        <translation>Was von der Auswertung gezeigt wird</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>Matrix</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Rows are the labels, columns the predictions. Blue is right, orange was taken for something else;
the stronger the colour, the larger the share of the label. A click on a cell lists its images; another one lists all again.</source>
        <translation>Zeilen sind die wahren Klassen, Spalten die Vorhersagen. Blau ist richtig, Orange wurde für etwas anderes gehalten;
je kräftiger die Farbe, desto größer der Anteil an der Klasse. Ein Klick auf eine Zelle zeigt ihre Bilder, ein weiterer wieder alle.</translation>
    </message>
    <message>
        <source>Labels, and what most of their images are taken for instead</source>
        <translation>Klassen und wofür die meisten ihrer Bilder stattdessen gehalten werden</translation>
    </message>
    <message>
        <source>Top-1 and top-5 of all evaluations of the run</source>
        <translation>Top 1 und Top 5 aller Auswertungen des Laufs</translation>
    </message>
    <message>
        <source>A matrix of %1 classes would be too small to read: the most confused ones are listed beside it.</source>
        <translation>Eine Matrix aus %1 Klassen wäre nicht lesbar: was am meisten verwechselt wird, steht daneben.</translation>
    </message>
    <message>
        <source>Shares of the images of each label instead of counts: a row adds up to 100 %, less what was taken for no class</source>
        <translation>Anteile an den Bildern jeder Klasse statt Anzahlen: eine Zeile ergibt 100 %, weniger was für keine Klasse gehalten wurde</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Recall, precision and F1 of each class. A click lists its images.</source>
        <translation>Trefferquote, Präzision und F1 jeder Klasse. Ein Klick führt ihre Bilder auf.</translation>
    </message>
    <message>
        <source>The %1 images that the network is most wrong about</source>
        <translation>Die %1 Bilder, bei denen das Netz am falschesten liegt</translation>
    </message>
    <message>
        <source>top-1 %1</source>
        <translation>Top 1 %1</translation>
    </message>
    <message>
        <source>top-5 %1</source>
        <translation>Top 5 %1</translation>
    </message>
    <message>
        <source>macro recall %1</source>
        <translation>mittlere Trefferquote %1</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>Accuracy on the test set</source>
        <translation>Genauigkeit auf den Testdaten</translation>
    </message>
    <message>
        <source>Share of the test examples whose label is the most probable class (top-1), or among the five most probable ones (top-5), by step</source>
        <translation>Anteil der Testbeispiele, deren Klasse die wahrscheinlichste ist (Top 1) oder unter den fünf wahrscheinlichsten (Top 5), über die Schritte</translation>
    </message>
    <message>
        <source>Not evaluated yet</source>
        <translation>Noch nicht ausgewertet</translation>
    </message>
    <message>
        <source>top-1, moving averages</source>
        <translation>Top 1, gleitende Mittel</translation>
    </message>
    <message>
        <source>top-1, weights</source>
        <translation>Top 1, Gewichte</translation>
    </message>
    <message>
        <source>top-5, moving averages</source>
        <translation>Top 5, gleitende Mittel</translation>
    </message>
    <message>
        <source>top-5, weights</source>
        <translation>Top 5, Gewichte</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ConfusionView</name>
    <message>
        <source>Confusion matrix: rows are the labels, columns the predictions</source>
        <translation>Verwechslungsmatrix: Zeilen sind die wahren Klassen, Spalten die Vorhersagen</translation>
    </message>
    <message>
        <source>%1 of %2 (%3 %)</source>
        <translation>%1 von %2 (%3 %)</translation>
    </message>
    <message>
        <source>%1, recognised: %2</source>
        <translation>%1, erkannt: %2</translation>
    </message>
    <message>
        <source>%1, taken for %2: %3</source>
        <translation>%1, gehalten für %2: %3</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ConnectDialog</name>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Connect to a Machine</source>
        <translation>Mit einem Rechner verbinden</translation>
    </message>
    <message>
        <source>Shows the runs of another machine where Lockstep is installed, and starts runs there. Your own ssh reaches it, with your keys and your configuration.</source>
        <translation>Zeigt die Läufe eines anderen Rechners, auf dem Lockstep installiert ist, und startet dort Läufe. Ihr eigenes ssh erreicht ihn, mit Ihren Schlüsseln und Ihrer Konfiguration.</translation>
    </message>
    <message>
        <source>user@host, or ssh://user@host:port/folder</source>
        <translation>nutzer@host oder ssh://nutzer@host:port/ordner</translation>
    </message>
    <message>
        <source>A name that ssh knows: of the network, or of ~/.ssh/config</source>
        <translation>Ein Name, den ssh kennt: aus dem Netz oder aus ~/.ssh/config</translation>
    </message>
    <message>
        <source>where runs lie there by default</source>
        <translation>wo Läufe dort gewöhnlich liegen</translation>
    </message>
    <message>
        <source>Folder of runs on that machine, or of one run; ~ is the home there</source>
        <translation>Ordner mit Läufen auf jenem Rechner, oder der eines Laufs; ~ ist das Benutzerverzeichnis dort</translation>
    </message>
    <message>
        <source>Its path on that machine, if the shell there does not find it</source>
        <translation>Sein Pfad auf jenem Rechner, falls die Shell dort es nicht findet</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindet</translation>
    </message>
    <message>
        <source>&amp;Machine</source>
        <translation>&amp;Rechner</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>&amp;Programm</translation>
    </message>
    <message>
        <source>Enter a machine first</source>
        <translation>Zuerst einen Rechner eingeben</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindet mit %1…</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DBusNotificationSender</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Demonstration</name>
    <message>
        <source>Do It Yourself</source>
        <translation>Selbst ausprobieren</translation>
    </message>
    <message>
        <source>Two of four towers go wrong</source>
        <translation>Zwei von vier Towern entgleisen</translation>
    </message>
    <message>
        <source>Starts a run with a poisoned tower on this computer</source>
        <translation>Startet auf diesem Rechner einen Lauf mit einem vergifteten Tower</translation>
    </message>
    <message>
        <source>Step %1. %2</source>
        <translation>Schritt %1. %2</translation>
    </message>
    <message>
        <source>Recorded: from step 150 on tower 1 got random labels, from step 300 on tower 3 slept in each step.</source>
        <translation>Aufgezeichnet: ab Schritt 150 bekam Tower 1 zufällige Labels, ab Schritt 300 schlief Tower 3 in jedem Schritt.</translation>
    </message>
    <message>
        <source>A recorded run. Which ones, and what is wrong with them?</source>
        <translation>Ein aufgezeichneter Lauf. Welche, und was ist mit ihnen?</translation>
    </message>
    <message>
        <source>Play Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DetectionChart</name>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Images with a score of at least this are called defective;
each step is the next score that occurs</source>
        <translation>Bilder mit mindestens diesem Wert werden fehlerhaft genannt;
jeder Schritt ist der nächste Wert, der vorkommt</translation>
    </message>
    <message>
        <source>Threshold %1</source>
        <translation>Schwelle %1</translation>
    </message>
    <message>
        <source>full recall with 1 false positive</source>
        <translation>volle Trefferquote mit 1 falsch positiven</translation>
    </message>
    <message>
        <source>full recall with %1 false positives</source>
        <translation>volle Trefferquote mit %1 falsch positiven</translation>
    </message>
    <message>
        <source>AP %1 · best F1 %2 · %3</source>
        <translation>AP %1 · bestes F1 %2 · %3</translation>
    </message>
    <message>
        <source>AP = Σ (Rₙ − Rₙ₋₁) · Pₙ, step-wise, without interpolation</source>
        <translation>AP = Σ (Rₙ − Rₙ₋₁) · Pₙ, stufenweise, ohne Interpolation</translation>
    </message>
    <message>
        <source>Average precision: the sum over all thresholds of the gain in recall times the precision.
Images of one score count together.</source>
        <translation>Mittlere Präzision: die Summe über alle Schwellen aus Zuwachs der Trefferquote mal Präzision.
Bilder gleichen Werts zählen zusammen.</translation>
    </message>
    <message>
        <source>TP %1 · FP %2 · FN %3 · TN %4 · precision %5, recall %6, F1 %7</source>
        <translation>TP %1 · FP %2 · FN %3 · TN %4 · Präzision %5, Trefferquote %6, F1 %7</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DeviceModel</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Its name in the settings of a run</source>
        <translation>Sein Name in den Einstellungen eines Laufs</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>What was found, or why nothing was</source>
        <translation>Was gefunden wurde, oder warum nichts</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>Processors that this program may use</source>
        <translation>Prozessoren, die dieses Programm nutzen darf</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory of the device</source>
        <translation>Speicher des Geräts</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Memory that no program uses now</source>
        <translation>Speicher, den jetzt kein Programm nutzt</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Share of the last second in which it computed</source>
        <translation>Anteil der letzten Sekunde, in dem es gerechnet hat</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>Genutzt von</translation>
    </message>
    <message>
        <source>Programs that use it now, with their memory</source>
        <translation>Programme, die es jetzt nutzen, mit ihrem Speicher</translation>
    </message>
    <message>
        <source>Precisions</source>
        <translation>Präzisionen</translation>
    </message>
    <message>
        <source>Number formats that it can train with</source>
        <translation>Zahlenformate, mit denen es trainieren kann</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>The library that it is used through</source>
        <translation>Die Bibliothek, über die es benutzt wird</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the items of a list</comment>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DevicesDialog</name>
    <message>
        <source>Devices and Libraries</source>
        <translation>Geräte und Bibliotheken</translation>
    </message>
    <message>
        <source>Lockstep %1, built with %2, on %3</source>
        <translation>Lockstep %1, gebaut mit %2, auf %3</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Grey devices can&apos;t be used; the reason is beside them</source>
        <translation>Graue Geräte sind nicht nutzbar; der Grund steht daneben</translation>
    </message>
    <message>
        <source>Copies all of this as text, for a report</source>
        <translation>Kopiert das alles als Text, für einen Bericht</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DevicesPanel</name>
    <message>
        <source>%1 not known</source>
        <translation>%1 nicht bekannt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1, %2 so far</source>
        <translation>%1, %2 bisher</translation>
    </message>
    <message>
        <source> Wh</source>
        <translation> Wh</translation>
    </message>
    <message>
        <source>this training %1</source>
        <translation>dieses Training %1</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source> °C</source>
        <translation> °C</translation>
    </message>
    <message>
        <source> W</source>
        <translation> W</translation>
    </message>
    <message>
        <source>%1 is slowed: %2</source>
        <translation>%1 wird gebremst: %2</translation>
    </message>
    <message>
        <source>load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>%1 doesn&apos;t report here: %2.</source>
        <translation>%1 meldet hier nicht: %2.</translation>
    </message>
    <message>
        <source>Triangles: its clocks were lowered.</source>
        <translation>Dreiecke: sein Takt wurde gesenkt.</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Share of the last second in which the device computed; of the processors, all of them
together, whatever program used them.</source>
        <translation>Anteil der letzten Sekunde, in der das Gerät rechnete; bei den Prozessoren alle
zusammen, welches Programm sie auch nutzte.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory in use by all programs, and of it by the process that trains.</source>
        <translation>Speicher, den alle Programme belegen, und davon der Prozess, der trainiert.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Of the device; of processors the hottest package.</source>
        <translation>Des Geräts; bei Prozessoren des heißesten.</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Power that the device takes, and the energy that it took in this run, in watt-hours;
of processors that of their packages.</source>
        <translation>Leistung, die das Gerät aufnimmt, und die Energie in diesem Lauf, in Wattstunden;
bei Prozessoren die ihrer Gehäuse.</translation>
    </message>
    <message>
        <source>this training</source>
        <translation>dieses Training</translation>
    </message>
    <message>
        <source>%1, all programs</source>
        <translation>%1, alle Programme</translation>
    </message>
    <message>
        <source>Nothing is known yet: devices are asked once a second while a run is trained or paused.</source>
        <translation>Noch ist nichts bekannt: Geräte werden einmal in der Sekunde gefragt, während ein Lauf trainiert oder pausiert.</translation>
    </message>
    <message>
        <source>Nothing is recorded of what the devices do. The towers are on: %1.</source>
        <translation>Was die Geräte tun, ist nicht aufgezeichnet. Die Tower sind auf: %1.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Disclosure</name>
    <message>
        <source>Show or hide the settings that rarely change</source>
        <translation>Einstellungen, die sich selten ändern, zeigen oder verbergen</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::EvaluationChoices</name>
    <message>
        <source>Evaluation that is shown</source>
        <translation>Auswertung, die gezeigt wird</translation>
    </message>
    <message>
        <source>Weights that were evaluated</source>
        <translation>Gewichte, die ausgewertet wurden</translation>
    </message>
    <message>
        <source>The moving averages of the weights, or the weights as training updates them</source>
        <translation>Die gleitenden Mittel der Gewichte oder die Gewichte, wie das Training sie ändert</translation>
    </message>
    <message>
        <source>Moving averages</source>
        <translation>Gleitende Mittel</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Newest: step %1</source>
        <translation>Neueste: Schritt %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::EvaluationPanel</name>
    <message>
        <source>Choose an image from the table to see what the network makes of it, or drop one of your own here.</source>
        <translation>Wählen Sie ein Bild aus der Tabelle, um zu sehen, was das Netz daraus macht, oder legen Sie ein eigenes hier ab.</translation>
    </message>
    <message>
        <source>Try an Image…</source>
        <translation>Bild prüfen…</translation>
    </message>
    <message>
        <source>Try an Image</source>
        <translation>Bild prüfen</translation>
    </message>
    <message>
        <source>Images (*.jpg *.jpeg *.png *.bmp);;All files (*)</source>
        <translation>Bilder (*.jpg *.jpeg *.png *.bmp);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Start or open a run: this shows what its evaluations say about each image, and what its network makes of any picture that you drop here.</source>
        <translation>Lauf starten oder öffnen: Hier steht, was seine Auswertungen über jedes Bild sagen und was sein Netz aus jedem Bild macht, das Sie hier ablegen.</translation>
    </message>
    <message>
        <source>Asks the network about a JPEG, PNG or BMP of your own, or several. They can also be dropped here, and so can a folder.</source>
        <translation>Fragt das Netz nach einem eigenen JPEG, PNG oder BMP oder nach mehreren. Sie lassen sich auch hier ablegen, ebenso ein Ordner.</translation>
    </message>
    <message>
        <source>This evaluation has no scores of its images.</source>
        <translation>Diese Auswertung hat keine Werte ihrer Bilder.</translation>
    </message>
    <message>
        <source>Not evaluated yet: evaluate now in the menu Run, or every so many steps (evaluate.every_steps).</source>
        <translation>Noch nicht ausgewertet: jetzt im Menü Lauf auswerten, oder alle paar Schritte (evaluate.every_steps).</translation>
    </message>
    <message>
        <source>None of the test images is defective: precision and recall need some that are</source>
        <translation>Keines der Testbilder ist fehlerhaft: Präzision und Trefferquote brauchen welche, die es sind</translation>
    </message>
    <message>
        <source>The results for each image were not kept: a run keeps them for its newest evaluation and for the most accurate one.</source>
        <translation>Die Ergebnisse zu jedem Bild wurden nicht behalten: ein Lauf behält sie von seiner neuesten und von der genauesten Auswertung.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FieldEditor</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FileCommands</name>
    <message>
        <source>Open Run</source>
        <translation>Lauf öffnen</translation>
    </message>
    <message>
        <source>Load Checkpoint</source>
        <translation>Checkpoint laden</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors)</source>
        <translation>Checkpoints (*.safetensors)</translation>
    </message>
    <message>
        <source>Import Configuration</source>
        <translation>Konfiguration importieren</translation>
    </message>
    <message>
        <source>Configurations (*.toml)</source>
        <translation>Konfigurationen (*.toml)</translation>
    </message>
    <message>
        <source>Save Checkpoint As</source>
        <translation>Checkpoint sichern unter</translation>
    </message>
    <message>
        <source>Export Configuration</source>
        <translation>Konfiguration exportieren</translation>
    </message>
    <message>
        <source>Export Metrics</source>
        <translation>Messwerte exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>The run can&apos;t be saved now: %1 was not written.</source>
        <translation>Der Lauf kann jetzt nicht gespeichert werden: %1 wurde nicht geschrieben.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FileKind</name>
    <message>
        <source>a folder without a run or pictures</source>
        <translation>ein Ordner ohne Lauf und ohne Bilder</translation>
    </message>
    <message>
        <source>an ONNX model, which is written here, not read</source>
        <translation>ein ONNX-Modell, das hier geschrieben, aber nicht gelesen wird</translation>
    </message>
    <message>
        <source>a pickle of PyTorch, which may run any program: save its weights as safetensors</source>
        <translation>ein Pickle von PyTorch, das jedes Programm ausführen kann: sichern Sie seine Gewichte als safetensors</translation>
    </message>
    <message>
        <source>a file of another kind (%1)</source>
        <translation>eine Datei anderer Art (%1)</translation>
    </message>
    <message>
        <source>nothing: it is not there</source>
        <translation>nichts: es gibt sie nicht</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FilePredictionModel</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Its name; the whole path is shown on hover</source>
        <translation>Ihr Name; der ganze Pfad erscheint beim Darüberfahren</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>The class that the network calls most probable</source>
        <translation>Die Klasse, die das Netz für die wahrscheinlichste hält</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>The next most probable classes</source>
        <translation>Die nächstwahrscheinlichen Klassen</translation>
    </message>
    <message>
        <source>Mask peak</source>
        <translation>Maskenspitze</translation>
    </message>
    <message>
        <source>The largest probability of a cell of the predicted mask</source>
        <translation>Die größte Wahrscheinlichkeit einer Zelle der vorhergesagten Maske</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Why nothing is said of it</source>
        <translation>Warum nichts dazu gesagt wird</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>The network&apos;s probability that it is defective</source>
        <translation>Die Wahrscheinlichkeit des Netzes, dass es fehlerhaft ist</translation>
    </message>
    <message>
        <source>What the network gives the predicted class</source>
        <translation>Was das Netz der vorhergesagten Klasse gibt</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FilesPage</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>Back to the Evaluation</source>
        <translation>Zurück zur Auswertung</translation>
    </message>
    <message>
        <source>What the network takes the files for</source>
        <translation>Wofür das Netz die Dateien hält</translation>
    </message>
    <message>
        <source>Progress of the predictions</source>
        <translation>Fortschritt der Vorhersagen</translation>
    </message>
    <message>
        <source>File by file the most probable classes, or the score, and why one can&apos;t be read</source>
        <translation>Datei für Datei die wahrscheinlichsten Klassen oder der Wert, und warum sich eine nicht lesen lässt</translation>
    </message>
    <message>
        <source>Looking for images…</source>
        <translation>Suche nach Bildern…</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>%1 von %2 Bildern</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read</source>
        <translation>%1 nicht lesbar</translation>
    </message>
    <message>
        <source>Save Predictions</source>
        <translation>Vorhersagen speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Gespeichert als %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FilterPage</name>
    <message>
        <source>Filters of the first convolution</source>
        <translation>Filter der ersten Faltung</translation>
    </message>
    <message>
        <source>Each square is a filter of the first convolution, all to one scale:
grey is 0, the weight that is furthest from 0 is black or white</source>
        <translation>Jedes Quadrat ist ein Filter der ersten Faltung, alle in einem Maßstab:
Grau ist 0, das Gewicht, das am weitesten von 0 liegt, ist schwarz oder weiß</translation>
    </message>
    <message>
        <source>Recorded step whose filters are shown</source>
        <translation>Aufgezeichneter Schritt, dessen Filter gezeigt werden</translation>
    </message>
    <message>
        <source>The first convolution reads neither 1 nor 3 channels: its filters are not pictures.</source>
        <translation>Die erste Faltung liest weder 1 noch 3 Kanäle: ihre Filter sind keine Bilder.</translation>
    </message>
    <message>
        <source>after step %1, the newest</source>
        <translation>nach Schritt %1, der neueste</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>nach Schritt %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FolderEditor</name>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::GpuLine</name>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von %2 frei</translation>
    </message>
    <message>
        <source>load %1 %</source>
        <translation>Last %1 %</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the items of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1, %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::GradientPanel</name>
    <message>
        <source>Gradients of the towers, by layer</source>
        <translation>Gradienten der Tower, nach Schicht</translation>
    </message>
    <message>
        <source>Start a run: how far the gradients of its towers agree is shown here.</source>
        <translation>Starten Sie einen Lauf: hier wird gezeigt, wie weit die Gradienten seiner Tower übereinstimmen.</translation>
    </message>
    <message>
        <source>Step %1.</source>
        <translation>Schritt %1.</translation>
    </message>
    <message>
        <source>Cosine to the mean</source>
        <translation>Kosinus zum Mittel</translation>
    </message>
    <message>
        <source>How far each tower&apos;s gradient points where the mean of all does: the cosine between them,
1 for the same direction.</source>
        <translation>Wie weit der Gradient jedes Towers dorthin zeigt, wohin das Mittel aller zeigt: der Kosinus
zwischen ihnen, 1 bei gleicher Richtung.</translation>
    </message>
    <message>
        <source>Nothing is recorded of the towers&apos; gradients.</source>
        <translation>Von den Gradienten der Tower ist nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>The global batch of %1 could be about %2 times larger before more examples a step gain clearly less.</source>
        <translation>Der globale Batch von %1 könnte etwa %2-mal größer sein, bevor mehr Beispiele pro Schritt deutlich weniger bringen.</translation>
    </message>
    <message>
        <source>The global batch of %1 is about as large: more examples a step gain less and less.</source>
        <translation>Der globale Batch von %1 ist etwa so groß: mehr Beispiele pro Schritt bringen immer weniger.</translation>
    </message>
    <message>
        <source>The global batch of %1 is already about %2 times larger: more examples a step save hardly any steps.</source>
        <translation>Der globale Batch von %1 ist schon etwa %2-mal größer: mehr Beispiele pro Schritt sparen kaum Schritte.</translation>
    </message>
    <message>
        <source>With one tower there is no other gradient to compare.</source>
        <translation>Ein Tower: es gibt keinen anderen Gradienten, mit dem seiner zu vergleichen wäre.</translation>
    </message>
    <message>
        <source>Gradient noise scale: not defined here, the towers&apos; noise hides what they agree on. It is much larger than the global batch of %1.</source>
        <translation>Rauschskala der Gradienten: hier nicht bestimmt, das Rauschen der Tower verdeckt, worin sie übereinstimmen. Sie ist viel größer als der globale Batch von %1.</translation>
    </message>
    <message>
        <source>Gradient noise scale 0: all towers have the same gradient. Do they get the same data?</source>
        <translation>Rauschskala der Gradienten 0: alle Tower haben denselben Gradienten. Bekommen sie dieselben Daten?</translation>
    </message>
    <message>
        <source>Gradient noise scale about %1 examples.</source>
        <translation>Rauschskala der Gradienten etwa %1 Beispiele.</translation>
    </message>
    <message>
        <source>This run does not measure its towers&apos; gradients: &quot;Gradients every&quot; is set to never.</source>
        <translation>Dieser Lauf misst die Gradienten seiner Tower nicht: „Gradienten alle“ steht auf nie.</translation>
    </message>
    <message>
        <source>The towers&apos; gradients are measured every %L1 steps.</source>
        <translation>Die Gradienten der Tower werden alle %L1 Schritte gemessen.</translation>
    </message>
    <message>
        <source>Gradient noise scale: S ÷ |G|², the noise of a single example&apos;s gradient against the square of the true gradient&apos;s norm (McCandlish et al., 2018), estimated from the towers&apos; gradients and their mean over the last 40 or so measurements. A batch of that many examples needs about twice the least number of steps; a much smaller one needs steps in proportion, a much larger one saves hardly any. An estimate, and for this moment of the training: it usually grows as the loss falls.</source>
        <translation>Rauschskala der Gradienten: S ÷ |G|², das Rauschen des Gradienten eines einzelnen Beispiels gegen das Quadrat der Norm des wahren Gradienten (McCandlish et al., 2018), geschätzt aus den Gradienten der Tower und ihrem Mittel über die letzten etwa 40 Messungen. Ein Batch von so vielen Beispielen braucht etwa doppelt so viele Schritte wie mindestens nötig; ein viel kleinerer entsprechend mehr, ein viel größerer spart kaum welche. Eine Schätzung, und für diesen Augenblick des Trainings: meist wächst sie, während der Loss sinkt.</translation>
    </message>
    <message>
        <source>tower %1</source>
        <translation>Tower %1</translation>
    </message>
    <message>
        <source>lowest %1</source>
        <translation>kleinster %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::GradientTableModel</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Weights and biases of the layer together</source>
        <translation>Gewichte und Bias der Schicht zusammen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Norm of the weights before the update</source>
        <translation>Norm der Gewichte vor dem Update</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>Norm of the towers&apos; mean gradient, weight decay not included</source>
        <translation>Norm des mittleren Gradienten der Tower, ohne Weight Decay</translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation>Update / Gewicht</translation>
    </message>
    <message>
        <source>Norm of the update ÷ norm of the weights. Around 0.001 is a common rule of thumb; much more says that the learning rate may be too high, much less that the layer hardly moves.</source>
        <translation>Norm des Updates ÷ Norm der Gewichte. Um 0,001 ist eine übliche Faustregel; viel mehr sagt, dass die Lernrate zu hoch sein kann, viel weniger, dass sich die Schicht kaum bewegt.</translation>
    </message>
    <message>
        <source>Tower %1</source>
        <translation>Tower %1</translation>
    </message>
    <message>
        <source>Cosine of the angle between the gradient of tower %1 and the mean of all towers&apos;: 1 if they agree, 0 if they have nothing in common</source>
        <translation>Kosinus des Winkels zwischen dem Gradienten von Tower %1 und dem Mittel aller: 1, wenn sie übereinstimmen, 0, wenn sie nichts gemein haben</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Alle Schichten</translation>
    </message>
    <message>
        <source>–</source>
        <comment>no value yet</comment>
        <translation>–</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HistogramPage</name>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Weights or biases of the layer, after the step</source>
        <translation>Gewichte oder Bias der Schicht, nach dem Schritt</translation>
    </message>
    <message>
        <source>The mean gradient of all towers, without weight decay</source>
        <translation>Der mittlere Gradient aller Tower, ohne Weight Decay</translation>
    </message>
    <message>
        <source>What comes out of the layer for the first 16 rows of the last tower&apos;s batch,
in float32, with the weights after the step</source>
        <translation>Was für die ersten 16 Zeilen des Batches des letzten Towers aus der Schicht kommt,
in float32, mit den Gewichten nach dem Schritt</translation>
    </message>
    <message>
        <source>Nothing of this kind is recorded for %1</source>
        <translation>Für %1 ist nichts dieser Art aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HistogramPlot</name>
    <message>
        <source>The darker, the more values lie there; lines: the median, and where 5 % lie below and above.
The outermost 0.5 % on either side may lie beyond the axis.</source>
        <translation>Je dunkler, desto mehr Werte liegen dort; Linien: der Median, und wo 5 % darunter und darüber liegen.
Die äußersten 0,5 % auf jeder Seite können jenseits der Achse liegen.</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>5 %, 95 %</source>
        <translation>5 %, 95 %</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>mean, deviation</source>
        <translation>Mittel, Streuung</translation>
    </message>
    <message>
        <source>%1 to %2 · mean %3 · deviation %4</source>
        <translation>%1 bis %2 · Mittel %3 · Streuung %4</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ImageGrid</name>
    <message>
        <source>tower %1</source>
        <translation>Tower %1</translation>
    </message>
    <message>
        <source>Images that the towers get</source>
        <translation>Bilder, die die Tower bekommen</translation>
    </message>
    <message>
        <source>%1, example %2, %3</source>
        <translation>%1, Beispiel %2, %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a tower: its images</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 got %2</source>
        <translation>%1 bekam %2</translation>
    </message>
    <message>
        <source>test set</source>
        <translation>Testdaten</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>an example: number, name</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ImageScoreModel</name>
    <message>
        <source>false positive</source>
        <translation>falsch positiv</translation>
    </message>
    <message>
        <source>false negative</source>
        <translation>falsch negativ</translation>
    </message>
    <message>
        <source>true positive</source>
        <translation>richtig positiv</translation>
    </message>
    <message>
        <source>true negative</source>
        <translation>richtig negativ</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Its name in the test set</source>
        <translation>Sein Name in den Testdaten</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>What it is: defective where anything is marked in it</source>
        <translation>Was es ist: fehlerhaft, wo etwas darin markiert ist</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>The network&apos;s probability that it is defective</source>
        <translation>Wahrscheinlichkeit des Netzes, dass es fehlerhaft ist</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Of all objectives, each by its weight: the larger, the more wrong is the network</source>
        <translation>Aller Ziele, jedes nach seinem Gewicht: je größer, desto falscher liegt das Netz</translation>
    </message>
    <message>
        <source>At the threshold</source>
        <translation>Bei der Schwelle</translation>
    </message>
    <message>
        <source>Whether the chosen threshold calls it right or wrong</source>
        <translation>Ob die gewählte Schwelle es richtig oder falsch benennt</translation>
    </message>
    <message>
        <source>Mask peak</source>
        <translation>Maskenspitze</translation>
    </message>
    <message>
        <source>The largest probability of a cell of the predicted mask</source>
        <translation>Die größte Wahrscheinlichkeit einer Zelle der vorhergesagten Maske</translation>
    </message>
    <message>
        <source>Peak lies</source>
        <translation>Spitze liegt</translation>
    </message>
    <message>
        <source>Whether the label marks the cell of the peak, too</source>
        <translation>Ob auch das Label die Zelle der Spitze markiert</translation>
    </message>
    <message>
        <source>defective</source>
        <translation>fehlerhaft</translation>
    </message>
    <message>
        <source>clean</source>
        <translation>fehlerfrei</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>innerhalb</translation>
    </message>
    <message>
        <source>outside</source>
        <translation>außerhalb</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ImageTable</name>
    <message>
        <source>Images of the evaluation</source>
        <translation>Bilder der Auswertung</translation>
    </message>
    <message>
        <source>Which images are listed</source>
        <translation>Welche Bilder aufgeführt sind</translation>
    </message>
    <message>
        <source>Which images are listed; what is right and wrong depends on the threshold</source>
        <translation>Welche Bilder aufgeführt sind; was richtig und falsch ist, hängt von der Schwelle ab</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>Alle Bilder</translation>
    </message>
    <message>
        <source>False positives</source>
        <translation>Falsch positive</translation>
    </message>
    <message>
        <source>False negatives</source>
        <translation>Falsch negative</translation>
    </message>
    <message>
        <source>All images (%1)</source>
        <translation>Alle Bilder (%1)</translation>
    </message>
    <message>
        <source>False positives (%1)</source>
        <translation>Falsch positive (%1)</translation>
    </message>
    <message>
        <source>False negatives (%1)</source>
        <translation>Falsch negative (%1)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LayerTableModel</name>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Its name in the network</source>
        <translation>Ihr Name im Netz</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What it computes</source>
        <translation>Was sie rechnet</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Height × width × channels of what comes out for one example</source>
        <translation>Höhe × Breite × Kanäle dessen, was für ein Beispiel herauskommt</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Weights and biases that it has</source>
        <translation>Gewichte und Bias, die sie hat</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Memory of its parameters, float32</source>
        <translation>Speicher ihrer Parameter, float32</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Memory of its gradients in one tower, float32</source>
        <translation>Speicher ihrer Gradienten in einem Tower, float32</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Memory of what comes out for the batch of one tower, float32.
The towers&apos; own plan may share memory between layers, or use bfloat16.</source>
        <translation>Speicher dessen, was für den Batch eines Towers herauskommt, float32.
Der Plan der Tower kann Speicher zwischen Schichten teilen oder bfloat16 nutzen.</translation>
    </message>
    <message>
        <source>MFLOP forward</source>
        <translation>MFLOP vorwärts</translation>
    </message>
    <message>
        <source>Millions of floating-point operations for one example; a multiply-add is 2,
element-wise work is not counted</source>
        <translation>Millionen Gleitkommaoperationen für ein Beispiel; Malnehmen mit Addieren zählt 2,
elementweise Arbeit zählt nicht</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>The same for the gradients of its input and its weights, in MFLOP</source>
        <translation>Dasselbe für die Gradienten ihrer Eingabe und ihrer Gewichte, in MFLOP</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LibraryCommands</name>
    <message>
        <source>Lockstep</source>
        <translation>Lockstep</translation>
    </message>
    <message>
        <source>Move %1 to the trash?</source>
        <translation>%1 in den Papierkorb legen?</translation>
    </message>
    <message>
        <source>Its curves, evaluations and checkpoints go with it: %1</source>
        <translation>Seine Kurven, Auswertungen und Checkpoints gehen mit: %1</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>%1 is in use: it stays.</source>
        <translation>%1 wird gerade benutzt und bleibt.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be moved to the trash: delete its folder by hand.</source>
        <translation>%1 lässt sich nicht in den Papierkorb legen: löschen Sie den Ordner von Hand.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LibraryTable</name>
    <message>
        <source>Training on %1</source>
        <translation>Training auf %1</translation>
    </message>
    <message>
        <source>Vector arithmetic</source>
        <translation>Vektorrechnung</translation>
    </message>
    <message>
        <source>The steps of a run</source>
        <translation>Die Schritte eines Laufs</translation>
    </message>
    <message>
        <source>Public domain</source>
        <translation>Gemeinfrei</translation>
    </message>
    <message>
        <source>Checksums of checkpoints</source>
        <translation>Prüfsummen der Checkpoints</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Unpacking</source>
        <translation>Entpacken</translation>
    </message>
    <message>
        <source>Checksums of downloads</source>
        <translation>Prüfsummen von Heruntergeladenem</translation>
    </message>
    <message>
        <source>Configurations and models</source>
        <translation>Konfigurationen und Modelle</translation>
    </message>
    <message>
        <source>Headers of checkpoints</source>
        <translation>Köpfe der Checkpoints</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>Das Fenster</translation>
    </message>
    <message>
        <source>The charts</source>
        <translation>Die Diagramme</translation>
    </message>
    <message>
        <source>JPEG images</source>
        <translation>JPEG-Bilder</translation>
    </message>
    <message>
        <source>PNG images</source>
        <translation>PNG-Bilder</translation>
    </message>
    <message>
        <source>BMP images</source>
        <translation>BMP-Bilder</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Used for</source>
        <translation>Wofür</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LinePlot</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LogModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>When it was reported</source>
        <translation>Wann es gemeldet wurde</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>What was reported</source>
        <translation>Was gemeldet wurde</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LossPlot</name>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>mean %1 · last tower %2</source>
        <translation>Mittel %1 · letzter Tower %2</translation>
    </message>
    <message>
        <source> · weight decay included</source>
        <translation> · mit Weight Decay</translation>
    </message>
    <message>
        <source> · with weight decay %1</source>
        <translation> · mit Weight Decay %1</translation>
    </message>
    <message>
        <source> · weight decay included at first</source>
        <translation> · anfangs mit Weight Decay</translation>
    </message>
    <message>
        <source>Mean cross-entropy of a batch. The classic scripts print the last tower&apos;s, with weight decay.
Lines: the trend. Grey: from the least to the greatest tower. Above: the newest step as it is.</source>
        <translation>Mittlere Kreuzentropie eines Batches. Klassische Skripte geben die des letzten Towers aus, mit Weight Decay.
Linien: der Trend. Grau: vom kleinsten bis zum größten Tower. Oben: der neueste Schritt, wie er ist.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MachineCommands</name>
    <message>
        <source>&amp;Start on %1</source>
        <translation>&amp;Starten auf %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>%1: no line</source>
        <translation>%1: keine Leitung</translation>
    </message>
    <message>
        <source>Try Now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>The line to %1 is lost: %2.</source>
        <translation>Die Leitung zu %1 ist verloren: %2.</translation>
    </message>
    <message>
        <source>Trying again in %1 s.</source>
        <translation>Nächster Versuch in %1 s.</translation>
    </message>
    <message>
        <source>Trying again…</source>
        <translation>Neuer Versuch…</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindet mit %1…</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MainWindow</name>
    <message>
        <source>Lockstep</source>
        <translation>Lockstep</translation>
    </message>
    <message>
        <source>A run is going on.</source>
        <translation>Ein Lauf ist im Gang.</translation>
    </message>
    <message>
        <source>Stop and Save</source>
        <translation>Stoppen und sichern</translation>
    </message>
    <message>
        <source>%1 – Lockstep</source>
        <translation>%1 – Lockstep</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>&amp;Charts</source>
        <translation>&amp;Diagramme</translation>
    </message>
    <message>
        <source>Towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Data Preview</source>
        <translation>Datenvorschau</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Barrier Clock</source>
        <translation>Barrierenuhr</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>Masken</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>This window only shows a run</source>
        <translation>Dieses Fenster zeigt nur einen Lauf</translation>
    </message>
    <message>
        <source>%1 – view only – Lockstep</source>
        <translation>%1 – nur Ansicht – Lockstep</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 has half of the window. Fewer lines: %2, or a double click on its tab.</source>
        <translation>%1 hat das halbe Fenster. Weniger Zeilen: %2 oder ein Doppelklick auf den Reiter.</translation>
    </message>
    <message>
        <source>It can be stopped at the end of this step and saved; later it goes on from there. Or it is saved and goes on at once without the window, in a process of its own.</source>
        <translation>Er kann am Ende dieses Schritts gestoppt und gesichert werden; später geht es von dort weiter. Oder er wird gesichert und geht sofort ohne das Fenster weiter, in einem eigenen Prozess.</translation>
    </message>
    <message>
        <source>Keep Training</source>
        <translation>Weiter trainieren</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MarkerRow</name>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MaskCard</name>
    <message>
        <source>Tower %L1: %2</source>
        <comment>whose batch it is in; an image</comment>
        <translation>Tower %L1: %2</translation>
    </message>
    <message>
        <source>example %L1</source>
        <translation>Beispiel %L1</translation>
    </message>
    <message>
        <source>clean</source>
        <translation>fehlerfrei</translation>
    </message>
    <message>
        <source>defective</source>
        <translation>fehlerhaft</translation>
    </message>
    <message>
        <source>%1, score %2</source>
        <comment>a class; the decision&apos;s probability</comment>
        <translation>%1, Wert %2</translation>
    </message>
    <message>
        <source>peak %1, nothing is marked</source>
        <translation>Spitze %1, nichts ist markiert</translation>
    </message>
    <message>
        <source>peak %1, in the label</source>
        <translation>Spitze %1, im Label</translation>
    </message>
    <message>
        <source>peak %1, outside the label</source>
        <translation>Spitze %1, außerhalb des Labels</translation>
    </message>
    <message>
        <source>Loss %1: %2</source>
        <comment>a tower&apos;s; of each objective</comment>
        <translation>Loss %1: %2</translation>
    </message>
    <message>
        <source>The network of this run predicts no masks; segdecnet does.</source>
        <translation>Das Netz dieses Laufs sagt keine Masken vorher; segdecnet tut es.</translation>
    </message>
    <message>
        <source>The masks of the next step are shown here.</source>
        <translation>Hier werden die Masken des nächsten Schritts gezeigt.</translation>
    </message>
    <message>
        <source>Tick &quot;Live&quot; to see the masks of the next steps.</source>
        <translation>Kreuzen Sie „Live“ an, um die Masken der nächsten Schritte zu sehen.</translation>
    </message>
    <message>
        <source>No process is training this run now: its masks are shown while it is trained.</source>
        <translation>Niemand trainiert diesen Lauf gerade: Seine Masken werden gezeigt, während er trainiert wird.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MaskLegend</name>
    <message>
        <source>Colours of the masks</source>
        <translation>Farben der Masken</translation>
    </message>
    <message>
        <source>label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>predicted: above %1</source>
        <translation>vorhergesagt: über %1</translation>
    </message>
    <message>
        <source>probability 0 to 1</source>
        <translation>Wahrscheinlichkeit 0 bis 1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MaskStrip</name>
    <message>
        <source>Images of the step with their masks</source>
        <translation>Bilder des Schritts mit ihren Masken</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MaskView</name>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Überlagerung</translation>
    </message>
    <message>
        <source>A picture with its masks</source>
        <translation>Ein Bild mit seinen Masken</translation>
    </message>
    <message>
        <source>%1 of %2 cells marked</source>
        <translation>%1 von %2 Zellen markiert</translation>
    </message>
    <message>
        <source>%1 predicted above %2</source>
        <translation>%1 vorhergesagt über %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MasksPanel</name>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Tower whose images are shown</source>
        <translation>Tower, dessen Bilder gezeigt werden</translation>
    </message>
    <message>
        <source>Probability above which a cell counts as predicted</source>
        <translation>Wahrscheinlichkeit, über der eine Zelle als vorhergesagt gilt</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Shows new masks about twice a second, while this dock is in sight</source>
        <translation>Zeigt etwa zweimal in der Sekunde neue Masken, solange dieses Dock zu sehen ist</translation>
    </message>
    <message>
        <source>All towers</source>
        <translation>Alle Tower</translation>
    </message>
    <message>
        <source>Tower %L1</source>
        <translation>Tower %L1</translation>
    </message>
    <message>
        <source>Start a run of a network that predicts masks, such as segdecnet: this shows the masks of the images that its towers train on.</source>
        <translation>Starten Sie einen Lauf eines Netzes, das Masken vorhersagt, etwa segdecnet: hier stehen die Masken der Bilder, mit denen seine Tower trainieren.</translation>
    </message>
    <message>
        <source>Step %L1, before its update.</source>
        <translation>Schritt %L1, vor dem Update.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MistakesView</name>
    <message>
        <source>Images that were taken for something else</source>
        <translation>Bilder, die für etwas anderes gehalten wurden</translation>
    </message>
    <message>
        <source>Which mistakes come first</source>
        <translation>Welche Fehler vorn stehen</translation>
    </message>
    <message>
        <source>Surest: those whose wrong class the network calls most probable.
Largest loss: those whose label it calls least probable.</source>
        <translation>Sicherste: die, deren falsche Klasse das Netz für am wahrscheinlichsten hält.
Größter Loss: die, deren Label es für am wenigsten wahrscheinlich hält.</translation>
    </message>
    <message>
        <source>Surest</source>
        <translation>Sicherste</translation>
    </message>
    <message>
        <source>Largest loss</source>
        <translation>Größter Loss</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>is %1: %2</source>
        <translation>ist %1: %2</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>image %1</source>
        <translation>Bild %1</translation>
    </message>
    <message>
        <source>taken for %1: %2</source>
        <translation>gehalten für %1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Notices</name>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Checkpoint of step %1: %2</source>
        <translation>Checkpoint von Schritt %1: %2</translation>
    </message>
    <message>
        <source>Show Log</source>
        <translation>Log zeigen</translation>
    </message>
    <message>
        <source>Step %1: test accuracy %2, loss %3, %4 (%5)</source>
        <translation>Schritt %1: Testgenauigkeit %2, Loss %3, %4 (%5)</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>weights as they are</source>
        <translation>Gewichte, wie sie sind</translation>
    </message>
    <message>
        <source>moving average</source>
        <translation>gleitendes Mittel</translation>
    </message>
    <message>
        <source>Pre-flight: %1: %2</source>
        <translation>Vorprüfung: %1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::NumberText</name>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>h</source>
        <translation>h</translation>
    </message>
    <message>
        <source>d</source>
        <translation>d</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::OpenCommands</name>
    <message>
        <source>New Run from It</source>
        <translation>Neuer Lauf daraus</translation>
    </message>
    <message>
        <source>Fine-Tune from It</source>
        <translation>Feinabstimmung davon</translation>
    </message>
    <message>
        <source>Continue Its Run</source>
        <translation>Seinen Lauf weiterführen</translation>
    </message>
    <message>
        <source>%1 is being trained by process %2. This window follows it; closing the window leaves the run alone.</source>
        <translation>%1 wird von Prozess %2 trainiert. Dieses Fenster folgt ihm; wird es geschlossen, geht der Lauf weiter.</translation>
    </message>
    <message>
        <source>Continue Run</source>
        <translation>Lauf weiterführen</translation>
    </message>
    <message>
        <source>%1 has finished: all %2 steps are done.</source>
        <translation>%1 ist fertig: alle %2 Schritte sind getan.</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 steps; they are saved.</source>
        <translation>%1 wurde nach %2 Schritten gestoppt; sie sind gesichert.</translation>
    </message>
    <message>
        <source>%1 was ended by an error after %2 steps; the log says which.</source>
        <translation>%1 wurde nach %2 Schritten durch einen Fehler beendet; das Log sagt, welchen.</translation>
    </message>
    <message>
        <source>%1 ended unexpectedly at step %2 of %3.</source>
        <translation>%1 endete unerwartet bei Schritt %2 von %3.</translation>
    </message>
    <message>
        <source>%1 has made %2 of %3 steps.</source>
        <translation>%1 hat %2 von %3 Schritten gemacht.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>%1: step %2 of %3, %4 × %5.</source>
        <translation>%1: Schritt %2 von %3, %4 × %5.</translation>
    </message>
    <message>
        <source>Show Its Run</source>
        <translation>Seinen Lauf zeigen</translation>
    </message>
    <message>
        <source> What should be done with it?</source>
        <translation> Was soll damit geschehen?</translation>
    </message>
    <message>
        <source>Fetching %1 from %2…</source>
        <translation>Holt %1 von %2…</translation>
    </message>
    <message>
        <source>%1 is being trained on %2. This window follows it; closing the window leaves the run alone.</source>
        <translation>%1 wird auf %2 trainiert. Dieses Fenster folgt ihm; schließt es, bleibt der Lauf unberührt.</translation>
    </message>
    <message>
        <source>%1 is being recorded. This window follows it; closing the window leaves the training alone.</source>
        <translation>%1 wird aufgezeichnet. Dieses Fenster folgt dem Lauf; wird es geschlossen, geht das Training weiter.</translation>
    </message>
    <message>
        <source>%1 is not recorded any more, after %2 steps.</source>
        <translation>%1 wird nicht mehr aufgezeichnet, nach %2 Schritten.</translation>
    </message>
    <message>
        <source>The network %1 is set up, from %2.</source>
        <translation>Das Netz %1 ist eingerichtet, aus %2.</translation>
    </message>
    <message>
        <source> Nothing can be started from it in this window.</source>
        <translation> In diesem Fenster kann damit nichts begonnen werden.</translation>
    </message>
    <message>
        <source>%1 is a picture: open a run first, whose network is then asked about it.</source>
        <translation>%1 ist ein Bild: Öffnen Sie zuerst einen Lauf; dann wird sein Netz danach gefragt.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be opened: it is %2. What can be opened: the folder of a run, checkpoints and weights (.safetensors), configurations and networks (.toml), pictures and data sets.</source>
        <translation>%1 lässt sich nicht öffnen: Das ist %2. Öffnen lassen sich: der Ordner eines Laufs, Checkpoints und Gewichte (.safetensors), Konfigurationen und Netze (.toml), Bilder und Datensätze.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be opened: it is %2</source>
        <translation>%1 lässt sich nicht öffnen: Das ist %2</translation>
    </message>
    <message>
        <source>Opens this run in a window of its own</source>
        <translation>Öffnet diesen Lauf in einem eigenen Fenster</translation>
    </message>
    <message>
        <source>Opens the first run, and lays the others over its charts</source>
        <translation>Öffnet den ersten Lauf und legt die anderen über seine Diagramme</translation>
    </message>
    <message>
        <source>Opens this run</source>
        <translation>Öffnet diesen Lauf</translation>
    </message>
    <message>
        <source>Asks the network of the run that is shown</source>
        <translation>Fragt das Netz des gezeigten Laufs</translation>
    </message>
    <message>
        <source>Sets up a run that learns these pictures</source>
        <translation>Richtet einen Lauf ein, der diese Bilder lernt</translation>
    </message>
    <message>
        <source>A picture: open a run first, to ask its network about it</source>
        <translation>Ein Bild: zuerst einen Lauf öffnen, um sein Netz danach zu fragen</translation>
    </message>
    <message>
        <source>Sets up a run that starts from this checkpoint, or goes on with its run</source>
        <translation>Richtet einen Lauf ein, der von diesem Checkpoint ausgeht, oder führt seinen Lauf weiter</translation>
    </message>
    <message>
        <source>Sets up the next run, which starts from this checkpoint</source>
        <translation>Richtet den nächsten Lauf ein, der von diesem Checkpoint ausgeht</translation>
    </message>
    <message>
        <source>Sets up a run that starts with these weights</source>
        <translation>Richtet einen Lauf ein, der mit diesen Gewichten beginnt</translation>
    </message>
    <message>
        <source>Sets up the run of this configuration</source>
        <translation>Richtet den Lauf dieser Konfiguration ein</translation>
    </message>
    <message>
        <source>Sets up a run of this network</source>
        <translation>Richtet einen Lauf dieses Netzes ein</translation>
    </message>
    <message>
        <source>Sets up a run on this data set</source>
        <translation>Richtet einen Lauf auf diesem Datensatz ein</translation>
    </message>
    <message>
        <source>A run on %1 is set up.</source>
        <translation>Ein Lauf auf %1 ist eingerichtet.</translation>
    </message>
    <message>
        <source>A run is set up that starts with %1.</source>
        <translation>Ein Lauf ist eingerichtet, der mit %1 beginnt.</translation>
    </message>
    <message>
        <source>The network that is shown is asked about the pictures in %1.</source>
        <translation>Das gezeigte Netz wird nach den Bildern in %1 gefragt.</translation>
    </message>
    <message>
        <source>New Run on Them</source>
        <translation>Neuer Lauf auf ihnen</translation>
    </message>
    <message>
        <source>Lockstep crashed. What it did last is written down: %1</source>
        <translation>Lockstep ist abgestürzt. Was zuletzt geschah, steht in: %1</translation>
    </message>
    <message>
        <source>Show Report</source>
        <translation>Bericht zeigen</translation>
    </message>
    <message>
        <source>%1: nothing can be set up in this window, which only shows a run.</source>
        <translation>%1: In diesem Fenster lässt sich nichts einrichten, es zeigt nur einen Lauf.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::OptionList</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data and input</source>
        <translation>Daten und Eingabe</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Precision and devices</source>
        <translation>Präzision und Geräte</translation>
    </message>
    <message>
        <source>Checkpoints and records</source>
        <translation>Checkpoints und Aufzeichnung</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Find an option</source>
        <translation>Option suchen</translation>
    </message>
    <message>
        <source>Shows only the options in whose label, key or help all of these words occur</source>
        <translation>Zeigt nur Optionen, in deren Name, Schlüssel oder Hilfe alle diese Wörter vorkommen</translation>
    </message>
    <message>
        <source>No option has all of these words</source>
        <translation>Keine Option enthält alle diese Wörter</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PhaseEditor</name>
    <message>
        <source>Add phase</source>
        <translation>Neue Phase</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PhaseLegend</name>
    <message>
        <source>The figure is the mean over the towers in the last step.</source>
        <translation>Die Zahl ist das Mittel über die Tower im letzten Schritt.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PhaseLine</name>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> Schritte</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>nach Plan</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>What is trained: one objective, several joined with +, or joint for all</source>
        <translation>Was trainiert wird: ein Ziel, mehrere durch + verbunden oder joint für alle</translation>
    </message>
    <message>
        <source>Steps of the phase</source>
        <translation>Schritte der Phase</translation>
    </message>
    <message>
        <source>Updates in this phase</source>
        <translation>Updates in dieser Phase</translation>
    </message>
    <message>
        <source>Learning rate of the phase</source>
        <translation>Lernrate der Phase</translation>
    </message>
    <message>
        <source>Constant over the phase; empty: by the schedule of the run</source>
        <translation>Konstant in dieser Phase; leer: nach dem Plan des Laufs</translation>
    </message>
    <message>
        <source>Frozen in the phase</source>
        <translation>In der Phase eingefroren</translation>
    </message>
    <message>
        <source>Groups of parameters that stay as they are, with commas between them</source>
        <translation>Gruppen von Parametern, die bleiben, wie sie sind, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Remove phase %1</source>
        <translation>Phase %1 entfernen</translation>
    </message>
    <message>
        <source>Removes this phase</source>
        <translation>Entfernt diese Phase</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>%1, phase %2</source>
        <translation>%1, Phase %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PhaseRow</name>
    <message>
        <source>%1 from step %2</source>
        <translation>%1 ab Schritt %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PictureDialog</name>
    <message>
        <source>PNG: pixels</source>
        <translation>PNG: Pixel</translation>
    </message>
    <message>
        <source>SVG: lines, sharp at any size</source>
        <translation>SVG: Linien, in jeder Größe scharf</translation>
    </message>
    <message>
        <source>More pixels for the same picture: for screens of high resolution, and for print</source>
        <translation>Mehr Pixel für dasselbe Bild: für hochauflösende Bildschirme und für den Druck</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>S&amp;cale</source>
        <translation>&amp;Maßstab</translation>
    </message>
    <message>
        <source>Co&amp;lours</source>
        <translation>F&amp;arben</translation>
    </message>
    <message>
        <source>Width in pixels</source>
        <translation>Breite in Pixeln</translation>
    </message>
    <message>
        <source>Height in pixels</source>
        <translation>Höhe in Pixeln</translation>
    </message>
    <message>
        <source>As in the &amp;Window</source>
        <translation>&amp;Wie im Fenster</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1: more than %2 in one direction can&apos;t be written</source>
        <translation>%1: Mehr als %2 in einer Richtung lassen sich nicht schreiben</translation>
    </message>
    <message>
        <source>Laid out for %1</source>
        <translation>Angelegt für %1</translation>
    </message>
    <message>
        <source>The picture gets %1</source>
        <translation>Das Bild bekommt %1</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <comment>so many pixels for one</comment>
        <translation>%1 ×</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PinRow</name>
    <message>
        <source>Checkpoint of step %1</source>
        <translation>Checkpoint von Schritt %1</translation>
    </message>
    <message>
        <source>%1 checkpoints</source>
        <translation>%1 Checkpoints</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Checkpoints of steps %1.</source>
        <translation>Checkpoints der Schritte %1.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PlotView</name>
    <message>
        <source>Opens this chart (F)</source>
        <translation>Klappt dieses Diagramm auf (F)</translation>
    </message>
    <message>
        <source>Click: hides this, or shows it again. Shift and click: only this.</source>
        <translation>Klick: blendet dies aus oder wieder ein. Umschalt und Klick: nur dies.</translation>
    </message>
    <message>
        <source>Folds this chart to its title (F)</source>
        <translation>Klappt dieses Diagramm bis auf den Titel zu (F)</translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2: %3</translation>
    </message>
    <message>
        <source>step %1 · epoch %2 · %3</source>
        <translation>Schritt %1 · Epoche %2 · %3</translation>
    </message>
    <message>
        <source>%1 (step %2)</source>
        <translation>%1 (Schritt %2)</translation>
    </message>
    <message>
        <source>towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>min–max</source>
        <translation>Min–Max</translation>
    </message>
    <message>
        <source>min–max, smoothed</source>
        <translation>Min–Max, geglättet</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>tower %1</source>
        <translation>Tower %1</translation>
    </message>
    <message>
        <source>last tower (%1)</source>
        <translation>letzter Tower (%1)</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>last − mean</source>
        <translation>letzter − Mittel</translation>
    </message>
    <message>
        <source>mean so far</source>
        <translation>Mittel bisher</translation>
    </message>
    <message>
        <source>±2 SE</source>
        <translation>±2 SF</translation>
    </message>
    <message>
        <source>no more than chance explains</source>
        <translation>nicht mehr, als Zufall erklärt</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>the last tower&apos;s loss is the mean at every step</source>
        <translation>der Loss des letzten Towers ist in jedem Schritt das Mittel</translation>
    </message>
    <message>
        <source>%1 at worst (step %2)</source>
        <translation>höchstens %1 (Schritt %2)</translation>
    </message>
    <message>
        <source>last tower&apos;s loss %1 off on average</source>
        <translation>Loss des letzten Towers im Mittel um %1 daneben</translation>
    </message>
    <message>
        <source>mean difference %1 ± %2</source>
        <translation>mittlere Differenz %1 ± %2</translation>
    </message>
    <message>
        <source>needs a few more steps that vary · expected %1 for %2 towers</source>
        <translation>braucht noch einige Schritte, die schwanken · erwartet %1 für %2 Tower</translation>
    </message>
    <message>
        <source>Early stopping (%1 steps without a new lowest loss): by the last tower&apos;s loss %2, by the mean %3.</source>
        <translation>Frühes Anhalten (%1 Schritte ohne Tiefstand): nach dem Loss des letzten Towers %2, nach dem Mittel %3.</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>cannot tell yet</source>
        <translation>noch nicht zu sagen</translation>
    </message>
    <message>
        <source>the last tower varies more than its share</source>
        <translation>der letzte Tower schwankt mehr, als ihm zukommt</translation>
    </message>
    <message>
        <source>no verdict: with a batch of %1 in each tower single images decide · %2</source>
        <translation>kein Urteil: bei einem Batch von %1 je Tower entscheiden einzelne Bilder · %2</translation>
    </message>
    <message>
        <source>the last tower varies less than its share</source>
        <translation>der letzte Tower schwankt weniger, als ihm zukommt</translation>
    </message>
    <message>
        <source>%1, expected %2 (%3 to %4 after %5 steps)</source>
        <translation>%1, erwartet %2 (%3 bis %4 nach %5 Schritten)</translation>
    </message>
    <message>
        <source>1 tower</source>
        <translation>1 Tower</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>%1 examples/s · %2 ms/step · %3 s/batch (step ÷ %4)</source>
        <translation>%1 Beispiele/s · %2 ms/Schritt · %3 s/Batch (Schritt ÷ %4)</translation>
    </message>
    <message>
        <source>Var(last) ÷ Var(mean)</source>
        <translation>Var(letzter) ÷ Var(Mittel)</translation>
    </message>
    <message>
        <source>independent towers</source>
        <translation>unabhängige Tower</translation>
    </message>
    <message>
        <source>How much more the last tower&apos;s loss varies than the mean&apos;s, over 1,024 steps. Band: independent towers.</source>
        <translation>Wie viel mehr der Loss des letzten Towers schwankt als das Mittel (1.024 Schritte). Band: unabhängige Tower.</translation>
    </message>
    <message>
        <source>Var(mean) = %1. The towers of a step predict s² ÷ N = %2.</source>
        <translation>Var(Mittel) = %1. Die Tower eines Schritts sagen s² ÷ N = %2 voraus.</translation>
    </message>
    <message>
        <source>train batch</source>
        <translation>Trainingsbatch</translation>
    </message>
    <message>
        <source>test, raw</source>
        <translation>Test, roh</translation>
    </message>
    <message>
        <source>test, moving average</source>
        <translation>Test, gleitendes Mittel</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>examples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>examples/s = global batch ÷ step seconds, global batch = towers × batch per tower.
s/batch = step seconds ÷ towers: the classic figure, the time per tower batch.</source>
        <translation>Beispiele/s = globaler Batch ÷ Sekunden eines Schritts, globaler Batch = Tower × Batch pro Tower.
s/Batch = Sekunden eines Schritts ÷ Tower: die klassische Zahl, die Zeit für den Batch eines Towers.</translation>
    </message>
    <message>
        <source>Last tower − mean</source>
        <translation>Letzter Tower − Mittel</translation>
    </message>
    <message>
        <source>One tower: its loss is the mean</source>
        <translation>Ein Tower: sein Loss ist das Mittel</translation>
    </message>
    <message>
        <source>With one tower there is nothing to compare</source>
        <translation>Ein Tower: es gibt nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Share of examples whose most likely class is the right one (classically: precision @ 1).
Train batch: before its update, distorted as it is. Test: of the whole set, raw and moving-average weights.</source>
        <translation>Anteil der Beispiele, deren wahrscheinlichste Klasse die richtige ist (klassisch: precision @ 1).
Trainingsbatch: vor seinem Update, verzerrt, wie er ist. Test: alle Testdaten, rohe und gemittelte Gewichte.</translation>
    </message>
    <message>
        <source>Right click: another colour.</source>
        <translation>Rechtsklick: andere Farbe.</translation>
    </message>
    <message>
        <source>Thin: the last tower&apos;s loss − the mean of all. Thick: its mean so far. Grey: 0 ± 2 standard errors (SE).</source>
        <translation>Dünn: Loss des letzten Towers − Mittel aller. Dick: dessen Mittel bisher. Grau: 0 ± 2 Standardfehler (SF).</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>Test-Loss</translation>
    </message>
    <message>
        <source>Mean loss over the whole test set, of several objectives each by its weight, without weight decay.
Where it rises while the loss of training still falls, the network learns the training set by heart.</source>
        <translation>Mittlerer Loss über alle Testdaten, bei mehreren Zielen jedes nach seinem Gewicht, ohne Weight Decay.
Wo er steigt, während der Loss des Trainings noch fällt, lernt das Netz die Trainingsdaten auswendig.</translation>
    </message>
    <message>
        <source>Average precision</source>
        <translation>Mittlere Präzision</translation>
    </message>
    <message>
        <source>AP = Σ (Rₙ − Rₙ₋₁) · Pₙ over all thresholds of the images&apos; scores, step-wise, without interpolation.
Of the whole test set, with the weights as they are and with their moving average.</source>
        <translation>AP = Σ (Rₙ − Rₙ₋₁) · Pₙ über alle Schwellen der Werte der Bilder, stufenweise, ohne Interpolation.
Über alle Testdaten, mit den Gewichten, wie sie sind, und mit ihrem gleitenden Mittel.</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>with weight decay</source>
        <translation>mit Weight Decay</translation>
    </message>
    <message>
        <source>all towers have the same loss</source>
        <translation>alle Tower haben denselben Loss</translation>
    </message>
    <message>
        <source>the loss moves for all at once, %1 times what the towers explain; left out here</source>
        <translation>der Loss bewegt sich bei allen zugleich, %1-mal so viel, wie die Tower erklären; hier weggelassen</translation>
    </message>
    <message>
        <source>as independent batches would</source>
        <translation>wie unabhängige Batches</translation>
    </message>
    <message>
        <source>more than chance explains</source>
        <translation>mehr, als Zufall erklärt</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>As used in each step&apos;s update. L: the logarithm.</source>
        <translation>Wie bei der Änderung jedes Schritts benutzt. L: der Logarithmus.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PrecisionRecallPlot</name>
    <message>
        <source>Precision and recall</source>
        <translation>Präzision und Trefferquote</translation>
    </message>
    <message>
        <source>Recall: share of the defective images that are called so. Precision: share of those called so that are.
A point for each score: a click makes it the threshold (ring). Dots: the best F1, the highest with all found.</source>
        <translation>Trefferquote: Anteil der fehlerhaften Bilder, die so heißen. Präzision: Anteil der so genannten, die es sind.
Ein Punkt je Wert: ein Klick macht ihn zur Schwelle (Ring). Punkte: bestes F1, höchste mit allen gefunden.</translation>
    </message>
    <message>
        <source>best F1</source>
        <translation>bestes F1</translation>
    </message>
    <message>
        <source>full recall</source>
        <translation>volle Trefferquote</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>threshold %1</source>
        <translation>Schwelle %1</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Präzision</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PreviewMessage</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Data preview</source>
        <translation>Datenvorschau</translation>
    </message>
    <message>
        <source>Ends the loading of the data set</source>
        <translation>Beendet das Laden des Datensatzes</translation>
    </message>
    <message>
        <source>Opens the data set and makes the preview again</source>
        <translation>Öffnet den Datensatz und macht die Vorschau noch einmal</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PreviewPanel</name>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Making the first batch…</source>
        <translation>Der erste Batch wird gemacht…</translation>
    </message>
    <message>
        <source>While a run goes on, shows the newest step&apos;s batch, at most every two seconds</source>
        <translation>Zeigt während eines Laufs den Batch des neuesten Schritts, höchstens alle zwei Sekunden</translation>
    </message>
    <message>
        <source>There is nothing to preview: %1</source>
        <translation>Es gibt nichts zu zeigen: %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>label, name of the class</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Making the preview…</source>
        <translation>Die Vorschau entsteht…</translation>
    </message>
    <message>
        <source>Step whose batch is shown</source>
        <translation>Schritt, dessen Batch gezeigt wird</translation>
    </message>
    <message>
        <source>Page of the test set</source>
        <translation>Seite der Testdaten</translation>
    </message>
    <message>
        <source>Loading data set %1…</source>
        <translation>Datensatz %1 wird geladen…</translation>
    </message>
    <message>
        <source>What is shown of the data</source>
        <translation>Was von den Daten gezeigt wird</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>The batch of a step, as the towers get it</source>
        <translation>Der Batch eines Schritts, wie ihn die Tower bekommen</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>The test set, as evaluations see it</source>
        <translation>Die Testdaten, wie Auswertungen sie sehen</translation>
    </message>
    <message>
        <source>Class balance</source>
        <translation>Verteilung der Klassen</translation>
    </message>
    <message>
        <source>How many examples there are of each class</source>
        <translation>Wie viele Beispiele es von jeder Klasse gibt</translation>
    </message>
    <message>
        <source>the loading of the data set was cancelled</source>
        <translation>das Laden des Datensatzes wurde abgebrochen</translation>
    </message>
    <message>
        <source>standardised: shown stretched</source>
        <translation>standardisiert: gespreizt gezeigt</translation>
    </message>
    <message>
        <source>Standardised values have no fixed black and white: each image is shown from its darkest to its brightest value.</source>
        <translation>Standardisierte Werte haben kein festes Schwarz und Weiß: jedes Bild wird von seinem dunkelsten bis zu seinem hellsten Wert gezeigt.</translation>
    </message>
    <message>
        <source>Step %1: what each tower got</source>
        <translation>Schritt %1: was jeder Tower bekam</translation>
    </message>
    <message>
        <source>First step: what each tower will get</source>
        <translation>Erster Schritt: was jeder Tower bekommen wird</translation>
    </message>
    <message>
        <source>Step %1: what each tower will get</source>
        <translation>Schritt %1: was jeder Tower bekommen wird</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>What evaluations see: examples %1 to %2 of %3</source>
        <translation>Was Auswertungen sehen: Beispiele %1 bis %2 von %3</translation>
    </message>
    <message>
        <source>the whole image, resized</source>
        <translation>das ganze Bild, auf Größe gebracht</translation>
    </message>
    <message>
        <source>the middle of each image, not distorted</source>
        <translation>die Mitte jedes Bildes, unverzerrt</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PreviewSteps</name>
    <message>
        <source>First</source>
        <translation>Zum ersten</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zum vorigen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Zum nächsten</translation>
    </message>
    <message>
        <source>Newest step of the run</source>
        <translation>Zum neuesten Schritt des Laufs</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ProgressReadout</name>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>evaluated %1 of %2 images</source>
        <translation>%1 von %2 Bildern ausgewertet</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RateFinderDialog</name>
    <message>
        <source>Cross-entropy</source>
        <translation>Kreuzentropie</translation>
    </message>
    <message>
        <source>Line: steps whose rate rises, smoothed (Smith, 2017, arXiv:1506.01186). Dots: the end of short trainings at one rate each, from the same weights and with the same batches. What is above the untrained network is left out.</source>
        <translation>Linie: Schritte, deren Rate steigt, geglättet (Smith, 2017, arXiv:1506.01186). Punkte: das Ende kurzer Trainings mit je einer Rate, von denselben Gewichten aus und mit denselben Batches. Was über dem untrainierten Netz liegt, ist weggelassen.</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Training at %1: %2</source>
        <translation>Training mit %1: %2</translation>
    </message>
    <message>
        <source>Rising rate, now %1: %2</source>
        <translation>Steigende Rate, jetzt %1: %2</translation>
    </message>
    <message>
        <source>Untrained network: %1</source>
        <translation>Untrainiertes Netz: %1</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet …</translation>
    </message>
    <message>
        <source>No suggestion: the network learns at none of these rates in %1 steps.</source>
        <translation>Kein Vorschlag: mit keiner dieser Raten lernt das Netz in %1 Schritten.</translation>
    </message>
    <message>
        <source>no number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>%1 was tried for %2 steps: cross-entropy %3, at a tenth %4.</source>
        <translation>%1 wurde %2 Schritte lang probiert: Kreuzentropie %3, mit einem Zehntel %4.</translation>
    </message>
    <message>
        <source>&amp;Try Rates</source>
        <translation>Raten &amp;probieren</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Use It</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>Find Learning Rate</source>
        <translation>Lernrate suchen</translation>
    </message>
    <message>
        <source>Makes 100 steps of the run that is set up with a learning rate that rises from 0.00001 to 10, then 100 or 200 at each of a few rates, and suggests the best of these. No run is written or changed.</source>
        <translation>Macht 100 Schritte des eingerichteten Laufs mit einer Lernrate, die von 0,00001 auf 10 steigt, dann je 100 oder 200 mit einigen Raten, und schlägt die beste davon vor. Kein Lauf wird geschrieben oder verändert.</translation>
    </message>
    <message>
        <source>Makes it the learning rate of the run that is set up</source>
        <translation>Macht sie zur Lernrate des eingerichteten Laufs</translation>
    </message>
    <message>
        <source>State of the trial</source>
        <translation>Stand des Versuchs</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>rising rate</source>
        <translation>steigende Rate</translation>
    </message>
    <message>
        <source>one rate</source>
        <translation>eine Rate</translation>
    </message>
    <message>
        <source>A run is being trained on this computer. Stop it first.</source>
        <translation>Auf diesem Rechner wird ein Lauf trainiert. Stoppen Sie ihn zuerst.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Readiness</name>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>Another process trains the shown run: New Run (%1) leaves it</source>
        <translation>Ein anderer Prozess trainiert den gezeigten Lauf: Neuer Lauf (%1) verlässt ihn</translation>
    </message>
    <message>
        <source>Starts the run (%1)</source>
        <translation>Startet den Lauf (%1)</translation>
    </message>
    <message>
        <source>Paused before the first step by process %1</source>
        <translation>Vor dem ersten Schritt angehalten von Prozess %1</translation>
    </message>
    <message>
        <source>The first step of process %1 is on its way</source>
        <translation>Der erste Schritt von Prozess %1 ist unterwegs</translation>
    </message>
    <message>
        <source>Not ready: %1</source>
        <translation>Nicht bereit: %1</translation>
    </message>
    <message>
        <source>Not ready to start: see the marked field</source>
        <translation>Nicht bereit zum Start: siehe das markierte Feld</translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation>Bereit zum Start</translation>
    </message>
    <message>
        <source>The first step is on its way</source>
        <translation>Der erste Schritt ist unterwegs</translation>
    </message>
    <message>
        <source>Press Start: %1, %2 steps, %3 on %4</source>
        <translation>Start drücken: %1, %2 Schritte, %3, %4</translation>
    </message>
    <message>
        <source>1 tower</source>
        <translation>1 Tower</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>This window only shows a run</source>
        <translation>Dieses Fenster zeigt nur einen Lauf</translation>
    </message>
    <message>
        <source>The first step is on its way from %1</source>
        <translation>Der erste Schritt ist unterwegs von %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>No step is recorded yet</source>
        <translation>Noch ist kein Schritt aufgezeichnet</translation>
    </message>
    <message>
        <source>A run is trained: the next one can start when it has ended, or is stopped</source>
        <translation>Ein Lauf trainiert: Der nächste kann starten, wenn er zu Ende oder gestoppt ist</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunCheckpoints</name>
    <message>
        <source>start of the run</source>
        <translation>Beginn des Laufs</translation>
    </message>
    <message>
        <source>periodic</source>
        <translation>regelmäßig</translation>
    </message>
    <message>
        <source>saved by you</source>
        <translation>von Ihnen gespeichert</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>bester bisher</translation>
    </message>
    <message>
        <source>end of the run</source>
        <translation>Ende des Laufs</translation>
    </message>
    <message>
        <source>before a change</source>
        <translation>vor einer Änderung</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunEstimator</name>
    <message>
        <source>a few seconds</source>
        <translation>ein paar Sekunden</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>etwa %1 s</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>etwa %1 h</translation>
    </message>
    <message>
        <source>about %1 days</source>
        <translation>etwa %1 Tage</translation>
    </message>
    <message>
        <source>about %1 weeks</source>
        <translation>etwa %1 Wochen</translation>
    </message>
    <message>
        <source>about %1 months</source>
        <translation>etwa %1 Monate</translation>
    </message>
    <message>
        <source>years</source>
        <translation>Jahre</translation>
    </message>
    <message>
        <source>%1: too much</source>
        <translation>%1: zu viel</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>Time and memory of such a run on this computer, measured with a few steps or known from an earlier run.</source>
        <translation>Dauer und Speicher eines solchen Laufs auf diesem Rechner, mit ein paar Schritten gemessen oder von einem früheren Lauf bekannt.</translation>
    </message>
    <message>
        <source>Evaluations come on top: how many test images there are is not known yet.</source>
        <translation>Auswertungen kommen hinzu: wie viele Testbilder es gibt, ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>This computer has %1 of memory.</source>
        <translation>Dieser Rechner hat %1 Speicher.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunFeed</name>
    <message>
        <source>Steps %L1 to %L2 are missing from the charts: %3</source>
        <translation>Die Schritte %L1 bis %L2 fehlen in den Diagrammen: %3</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunForm</name>
    <message>
        <source>Get CIFAR-10…</source>
        <translation>CIFAR-10 holen…</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Checkpoints and evaluation</source>
        <translation>Checkpoints und Auswertung</translation>
    </message>
    <message>
        <source>More opt&amp;ions</source>
        <translation>We&amp;itere Optionen</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>Use the learning rate %1</source>
        <translation>Die Lernrate %1 nehmen</translation>
    </message>
    <message>
        <source>Download CIFAR-10 (162 MiB) and check it</source>
        <translation>CIFAR-10 herunterladen (162 MiB) und prüfen</translation>
    </message>
    <message>
        <source>Use the suggested learning rate</source>
        <translation>Die vorgeschlagene Lernrate nehmen</translation>
    </message>
    <message>
        <source>%1 here, %2 there</source>
        <translation>%1 hier, %2 dort</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>nicht in der Datei</translation>
    </message>
    <message>
        <source>there of a type that is not read</source>
        <translation>dort in einem Typ, der nicht gelesen wird</translation>
    </message>
    <message>
        <source>fresh layer</source>
        <translation>neue Schicht</translation>
    </message>
    <message>
        <source>Takes %1 of %2 tensors, moving averages</source>
        <translation>Übernimmt %1 von %2 Tensoren, gleitende Mittel</translation>
    </message>
    <message>
        <source>Takes %1 of %2 tensors, raw weights</source>
        <translation>Übernimmt %1 von %2 Tensoren, rohe Gewichte</translation>
    </message>
    <message>
        <source>Fresh: %1 (%2)</source>
        <translation>Neu: %1 (%2)</translation>
    </message>
    <message>
        <source>and %1 more; the log lists them all</source>
        <translation>und %1 weitere; das Protokoll nennt alle</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunLog</name>
    <message>
        <source>step %1, loss = %2 (%3 examples/sec; %4 sec/batch)   last tower %5</source>
        <translation>Schritt %1, Loss = %2 (%3 Beispiele/s; %4 s/Batch)   letzter Tower %5</translation>
    </message>
    <message>
        <source>step %1, mean loss %2, %3</source>
        <translation>Schritt %1, mittlerer Loss %2, %3</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunPanel</name>
    <message>
        <source>The settings of the run that is shown.</source>
        <translation>Die Einstellungen des gezeigten Laufs.</translation>
    </message>
    <message>
        <source>steps is 0, but must be at least 1</source>
        <translation>steps ist 0, muss aber mindestens 1 sein</translation>
    </message>
    <message>
        <source>Next run: start it when the one that trains has ended, or stop that first.</source>
        <translation>Nächster Lauf: Starten Sie ihn, wenn der laufende zu Ende ist, oder stoppen Sie diesen zuerst.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunStrip</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Shows the settings, or folds them away (%1)</source>
        <translation>Zeigt die Einstellungen oder klappt sie zu (%1)</translation>
    </message>
    <message>
        <source>What now?</source>
        <translation>Was nun?</translation>
    </message>
    <message>
        <source>Try an Image…</source>
        <translation>Bild prüfen…</translation>
    </message>
    <message>
        <source>See Mistakes</source>
        <translation>Fehler ansehen</translation>
    </message>
    <message>
        <source>Train Longer…</source>
        <translation>Länger trainieren…</translation>
    </message>
    <message>
        <source>Branch…</source>
        <translation>Abzweigen…</translation>
    </message>
    <message>
        <source>From step %1</source>
        <translation>Ab Schritt %1</translation>
    </message>
    <message>
        <source>From step %1: %2</source>
        <translation>Ab Schritt %1: %2</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <source>Summary…</source>
        <translation>Zusammenfassung…</translation>
    </message>
    <message>
        <source>%1 · %2 steps</source>
        <translation>%1 · %2 Schritte</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunTableModel</name>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>No step yet</source>
        <translation>Noch kein Schritt</translation>
    </message>
    <message>
        <source>Training here</source>
        <translation>Trainiert hier</translation>
    </message>
    <message>
        <source>Training, process %1</source>
        <translation>Trainiert, Prozess %1</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped at step %1</source>
        <translation>Gestoppt bei Schritt %1</translation>
    </message>
    <message>
        <source>Ended by an error at step %1</source>
        <translation>Durch Fehler beendet bei Schritt %1</translation>
    </message>
    <message>
        <source>Ended unexpectedly at step %1</source>
        <translation>Unerwartet beendet bei Schritt %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Mean loss</source>
        <translation>Mittlerer Loss</translation>
    </message>
    <message>
        <source>Mean loss over the steps of the run</source>
        <translation>Mittlerer Loss über die Schritte des Laufs</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>How far the run came</source>
        <translation>Wie weit der Lauf kam</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The network</source>
        <translation>Das Netz</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>What it is trained on</source>
        <translation>Worauf es trainiert wird</translation>
    </message>
    <message>
        <source>Towers × batch</source>
        <translation>Tower × Batch</translation>
    </message>
    <message>
        <source>Towers × examples of one tower in a step</source>
        <translation>Tower × Beispiele eines Towers in einem Schritt</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps done</source>
        <translation>Getane Schritte</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>Letzter Loss</translation>
    </message>
    <message>
        <source>Mean loss of all towers at the last step, without weight decay where it is known</source>
        <translation>Mittlerer Loss aller Tower im letzten Schritt, ohne Weight Decay, wo es bekannt ist</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>Kleinster Loss</translation>
    </message>
    <message>
        <source>The lowest mean loss of all towers at any step, likewise</source>
        <translation>Der kleinste mittlere Loss aller Tower in einem Schritt, ebenso</translation>
    </message>
    <message>
        <source>Last accuracy</source>
        <translation>Letzte Genauigkeit</translation>
    </message>
    <message>
        <source>Accuracy of the last evaluation on the test set, with moving averages of the weights</source>
        <translation>Genauigkeit der letzten Auswertung auf den Testdaten, mit gleitenden Mitteln der Gewichte</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>Beste Genauigkeit</translation>
    </message>
    <message>
        <source>The best accuracy on the test set, with moving averages of the weights</source>
        <translation>Die beste Genauigkeit auf den Testdaten, mit gleitenden Mitteln der Gewichte</translation>
    </message>
    <message>
        <source>Examples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Examples ÷ training time, over the last steps</source>
        <translation>Beispiele ÷ Trainingszeit, über die letzten Schritte</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>When the run was made</source>
        <translation>Wann der Lauf angelegt wurde</translation>
    </message>
    <message>
        <source>Its name (F2 gives it another). Check a run to lay it over the charts</source>
        <translation>Sein Name (F2 gibt ihm einen anderen). Ein Haken legt den Lauf über die Diagramme</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>Examples of all towers in a step</source>
        <translation>Beispiele aller Tower in einem Schritt</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning rate of the first step</source>
        <translation>Lernrate des ersten Schritts</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>How the weights follow their gradients</source>
        <translation>Wie die Gewichte ihren Gradienten folgen</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Number format of the training</source>
        <translation>Zahlenformat des Trainings</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Being recorded</source>
        <translation>Wird aufgezeichnet</translation>
    </message>
    <message>
        <source>Recorded until step %1</source>
        <translation>Aufgezeichnet bis Schritt %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsPanel</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Filter by name, state, model, data set</source>
        <translation>Nach Name, Stand, Modell, Daten filtern</translation>
    </message>
    <message>
        <source>Shows only the runs in which all of these words occur</source>
        <translation>Zeigt nur Läufe, in denen alle diese Wörter vorkommen</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 von %2 Läufen</translation>
    </message>
    <message>
        <source> · %1 over the charts, of %2 at most</source>
        <translation> · %1 über den Diagrammen, höchstens %2</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Shows the run</source>
        <translation>Zeigt den Lauf</translation>
    </message>
    <message>
        <source>Over&amp;lay on Charts</source>
        <translation>Über die &amp;Diagramme legen</translation>
    </message>
    <message>
        <source>Draws its curves behind the run&apos;s own</source>
        <translation>Zeichnet seine Kurven hinter die des Laufs</translation>
    </message>
    <message>
        <source>Of the two selected runs, or of one and the shown one</source>
        <translation>Der beiden gewählten Läufe, oder eines und des gezeigten</translation>
    </message>
    <message>
        <source>Show in &amp;Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Shows its files in the file manager</source>
        <translation>Zeigt seine Dateien in der Dateiverwaltung</translation>
    </message>
    <message>
        <source>&amp;Remove from List</source>
        <translation>Aus der &amp;Liste nehmen</translation>
    </message>
    <message>
        <source>Forgets a run outside the default folder; keeps its files</source>
        <translation>Vergisst einen Lauf außerhalb des üblichen Ordners; behält seine Dateien</translation>
    </message>
    <message>
        <source>%1 runs lie over the charts, which is as many as can be told apart: take one away first</source>
        <translation>%1 Läufe liegen über den Diagrammen, mehr sind nicht zu unterscheiden: nehmen Sie erst einen weg</translation>
    </message>
    <message>
        <source>Fine-&amp;Tune from This Run…</source>
        <translation>Fein&amp;abstimmung von diesem Lauf…</translation>
    </message>
    <message>
        <source>Sets up another run at step 0 with the weights of its newest checkpoint</source>
        <translation>Richtet einen anderen Lauf ab Schritt 0 ein, mit den Gewichten seines neuesten Checkpoints</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>Um&amp;benennen</translation>
    </message>
    <message>
        <source>Gives the run another name; its folder keeps its own</source>
        <translation>Gibt dem Lauf einen anderen Namen; sein Ordner behält den seinen</translation>
    </message>
    <message>
        <source>Move to &amp;Trash…</source>
        <translation>In den Papier&amp;korb…</translation>
    </message>
    <message>
        <source>Deletes the run with all its files</source>
        <translation>Löscht den Lauf mit allen seinen Dateien</translation>
    </message>
    <message>
        <source>Col&amp;umns</source>
        <translation>&amp;Spalten</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>The run and its files are on %1: this can only be done there</source>
        <translation>Der Lauf und seine Dateien liegen auf %1: das geht nur dort</translation>
    </message>
    <message>
        <source>&amp;Compare Runs</source>
        <translation>Läufe &amp;vergleichen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ScalingDialog</name>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Scaling Ruler</source>
        <translation>Skalierung messen</translation>
    </message>
    <message>
        <source>Progress of the measurement</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>State of the measurement</source>
        <translation>Stand der Messung</translation>
    </message>
    <message>
        <source>1 to </source>
        <comment>from one tower to the number that follows</comment>
        <translation>1 bis </translation>
    </message>
    <message>
        <source> s each</source>
        <translation> s je Zahl</translation>
    </message>
    <message>
        <source>batch per tower</source>
        <translation>Batch pro Tower</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>globaler Batch</translation>
    </message>
    <message>
        <source>&amp;Towers</source>
        <translation>&amp;Tower</translation>
    </message>
    <message>
        <source>Every number of towers is measured</source>
        <translation>Jede Zahl von Towern wird gemessen</translation>
    </message>
    <message>
        <source>T&amp;ime</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>Seconds of steps for each number of towers, in three turns; starting and warming up come on top</source>
        <translation>Sekunden an Schritten für jede Zahl von Towern, in drei Durchgängen; Start und Anlauf kommen dazu</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Fest</translation>
    </message>
    <message>
        <source>Copies the result as text</source>
        <translation>Kopiert das Ergebnis als Text</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Cancelled; nothing was kept.</source>
        <translation>Abgebrochen; nichts wurde aufgehoben.</translation>
    </message>
    <message>
        <source>Trains %1 for a few seconds with 1, 2, … towers, on generated data and with the device, precision and batch that are set up, and shows what more towers bring.</source>
        <translation>Trainiert %1 einige Sekunden lang mit 1, 2, … Towern, auf erzeugten Daten und mit dem eingestellten Gerät, der Präzision und dem Batch, und zeigt, was mehr Tower bringen.</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
    <message>
        <source>Measuring 1 tower…</source>
        <translation>1 Tower wird gemessen…</translation>
    </message>
    <message>
        <source>Measuring %1 towers…</source>
        <translation>%1 Tower werden gemessen…</translation>
    </message>
    <message>
        <source>What stays the same with more towers. Batch per tower: steps get larger. Global batch: each tower gets less to do; numbers of towers that it can&apos;t be split evenly among are left out</source>
        <translation>Was mit mehr Towern gleich bleibt. Batch pro Tower: die Schritte werden größer. Globaler Batch: jeder Tower bekommt weniger zu tun; Anzahlen von Towern, auf die er sich nicht gleichmäßig verteilen lässt, werden ausgelassen</translation>
    </message>
    <message>
        <source>A run is being trained on this computer: it and the ruler would slow each other down. Stop it first.</source>
        <translation>Auf diesem Rechner wird ein Lauf trainiert: er und die Messung würden einander bremsen. Stoppen Sie ihn zuerst.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ScalingModel</name>
    <message>
        <source>Towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>Towers that trained in lockstep</source>
        <translation>Tower, die im Gleichschritt trainierten</translation>
    </message>
    <message>
        <source>Examples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Global batch ÷ step seconds</source>
        <translation>Globaler Batch ÷ Sekunden eines Schritts</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Examples/s ÷ those of one tower</source>
        <translation>Beispiele/s ÷ die eines Towers</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Speed-up ÷ towers</source>
        <translation>Beschleunigung ÷ Tower</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Towers − speed-up: the work of that many towers. The columns after it say what it went into, and add up to it</source>
        <translation>Tower − Beschleunigung: die Arbeit von so vielen Towern. Die Spalten danach sagen, wohin sie ging; ihre Summe ist diese Zahl</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>The towers waited for their batch</source>
        <translation>Die Tower warteten auf ihren Batch</translation>
    </message>
    <message>
        <source>Averaging</source>
        <translation>Mitteln</translation>
    </message>
    <message>
        <source>Averaging and checking the gradients</source>
        <translation>Mitteln und Prüfen der Gradienten</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>The optimizer and the moving averages</source>
        <translation>Der Optimierer und die gleitenden Mittel</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>For the slowest tower</source>
        <translation>Auf den langsamsten Tower</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>Rest</translation>
    </message>
    <message>
        <source>Each tower computes more slowly than one alone (shared memory, cores, clock rate), or waits for its turn. Also what the device does not report</source>
        <translation>Jeder Tower rechnet langsamer als einer allein (gemeinsamer Speicher, Kerne, Takt) oder wartet, bis er an der Reihe ist. Auch, was das Gerät nicht meldet</translation>
    </message>
    <message>
        <source>From %1 to %2 in all turns</source>
        <translation>Von %1 bis %2 in allen Durchgängen</translation>
    </message>
    <message>
        <source>These towers take turns: there are fewer processors or GPUs</source>
        <translation>Diese Tower wechseln sich ab: es gibt weniger Prozessoren oder GPUs</translation>
    </message>
    <message>
        <source>≈ 0</source>
        <comment>within the noise</comment>
        <translation>≈ 0</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ScalingView</name>
    <message>
        <source>waiting for data</source>
        <translation>Warten auf Daten</translation>
    </message>
    <message>
        <source>averaging</source>
        <translation>Mitteln</translation>
    </message>
    <message>
        <source>the update</source>
        <translation>das Update</translation>
    </message>
    <message>
        <source>waiting for the slowest tower</source>
        <translation>Warten auf den langsamsten Tower</translation>
    </message>
    <message>
        <source>towers that compute more slowly than one alone</source>
        <translation>Tower, die langsamer rechnen als einer allein</translation>
    </message>
    <message>
        <source>%1 towers are as fast as %2 (%3 % efficient).</source>
        <translation>%1 Tower sind so schnell wie %2 (%3 % Wirkungsgrad).</translation>
    </message>
    <message>
        <source>The rest is lost, in towers: %1.</source>
        <translation>Der Rest geht verloren, in Towern: %1.</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between losses</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>Amdahl&apos;s law fits best with a serial share of %1 %: more towers can reach at most %2 times the speed of one.</source>
        <translation>Amdahls Gesetz passt am besten mit einem seriellen Anteil von %1 %: keine Zahl von Towern kommt über das %2-fache von einem hinaus.</translation>
    </message>
    <message>
        <source>No serial share can be seen.</source>
        <translation>Ein serieller Anteil ist nicht zu erkennen.</translation>
    </message>
    <message>
        <source>From %1 towers on they share GPUs.</source>
        <translation>Ab %1 Towern teilen sie sich GPUs.</translation>
    </message>
    <message>
        <source>%1 examples a step for all towers together</source>
        <translation>%1 Beispiele pro Schritt für alle Tower zusammen</translation>
    </message>
    <message>
        <source>%1 examples a step for each tower</source>
        <translation>%1 Beispiele pro Schritt für jeden Tower</translation>
    </message>
    <message>
        <source>%1 on %2, %3: %4</source>
        <translation>%1 auf %2, %3: %4</translation>
    </message>
    <message>
        <source>%1, 1 thread each</source>
        <translation>%1, je 1 Thread</translation>
    </message>
    <message>
        <source>%1, %2 threads each</source>
        <translation>%1, je %2 Threads</translation>
    </message>
    <message>
        <source>More than %1 towers can&apos;t bring more here: they take turns on %2 processors.</source>
        <translation>Mehr als %1 Tower können hier nicht mehr bringen: sie wechseln sich auf %2 Prozessoren ab.</translation>
    </message>
    <message>
        <source>Left out are %1 towers: %2 examples can&apos;t be split evenly among them.</source>
        <translation>Ausgelassen sind %1 Tower: %2 Beispiele lassen sich nicht gleichmäßig auf sie verteilen.</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between numbers</comment>
        <translation>, </translation>
    </message>
    <message>
        <source> Other programs use %1 % of the processors: more towers bring less than they would alone.</source>
        <translation> Andere Programme nutzen %1 % der Prozessoren: Mehr Tower bringen weniger, als sie es allein täten.</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Examples/s with that many towers ÷ examples/s with one. A dot: the median of what was measured, a line through it:
from the least to the greatest.</source>
        <translation>Beispiele/s mit so vielen Towern ÷ denen mit einem. Ein Punkt: der Median des Gemessenen, ein Strich durch ihn:
vom kleinsten zum größten.</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>%1 with %2 towers</source>
        <translation>%1 mit %2 Towern</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>Towers and losses</source>
        <translation>Tower und Verluste</translation>
    </message>
    <message>
        <source>Measured on %1. %2</source>
        <translation>Gemessen am %1. %2</translation>
    </message>
    <message>
        <source>towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>Amdahl, %1 % serial</source>
        <translation>Amdahl, %1 % seriell</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SchedulePreview</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>%1; practically 0 from step %2 on</source>
        <translation>%1; ab Schritt %2 so gut wie 0</translation>
    </message>
    <message>
        <source>%1 in every step</source>
        <translation>%1 in jedem Schritt</translation>
    </message>
    <message>
        <source>%1 in every step; the first decay would come at step %2</source>
        <translation>%1 in jedem Schritt; der erste Abfall käme bei Schritt %2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between steps</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weiteren</translation>
    </message>
    <message>
        <source>× %1 at step %2</source>
        <translation>× %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1, falls to %2 at step %3</source>
        <translation>%1, fällt bis Schritt %3 auf %2</translation>
    </message>
    <message>
        <source>Learning rate over the steps of the run, by its schedule</source>
        <translation>Lernrate über die Schritte des Laufs, nach ihrem Verlauf</translation>
    </message>
    <message>
        <source>Warm-up of %1 steps; %2</source>
        <translation>Aufwärmen über %1 Schritte; %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SearchLine</name>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SessionController</name>
    <message>
        <source>A run is going on: stop it before another is opened.</source>
        <translation>Ein Lauf ist im Gang: stoppen Sie ihn, bevor ein anderer geöffnet wird.</translation>
    </message>
    <message>
        <source>A run is going on: stop it before another is started.</source>
        <translation>Ein Lauf ist im Gang: stoppen Sie ihn, bevor ein anderer gestartet wird.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SetUpCommands</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>%1 is set up to go on from step %2; steps after it are kept aside.</source>
        <translation>%1 ist eingerichtet, von Schritt %2 weiterzugehen; Schritte danach werden beiseite gelegt.</translation>
    </message>
    <message>
        <source>A new run is set up from %1, to go on until step %2.</source>
        <translation>Ein neuer Lauf von %1 ist eingerichtet, der bis Schritt %2 geht.</translation>
    </message>
    <message>
        <source>CIFAR-10 is ready: %1</source>
        <translation>CIFAR-10 ist bereit: %1</translation>
    </message>
    <message>
        <source>Use It</source>
        <translation>Benutzen</translation>
    </message>
    <message>
        <source>A new run is set up that begins at step 0 with the weights of %1. Layers whose shapes differ in another model begin with random weights.</source>
        <translation>Ein neuer Lauf ist eingerichtet, der bei Schritt 0 mit den Gewichten von %1 beginnt. Schichten, deren Form in einem anderen Modell abweicht, beginnen mit zufälligen Gewichten.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ShortcutsDialog</name>
    <message>
        <source>%1: %2</source>
        <comment>an action: its keys</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Zoom to a part of both axes; flat: of the x axis</source>
        <translation>Auf einen Teil beider Achsen zoomen; flach: der x-Achse</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>Am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>Hinein-, hinauszoomen</translation>
    </message>
    <message>
        <source>+, −</source>
        <translation>+, −</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Middle button or Space, and drag</source>
        <translation>Mittlere Taste oder Leertaste, und ziehen</translation>
    </message>
    <message>
        <source>Pan sideways</source>
        <translation>Seitwärts verschieben</translation>
    </message>
    <message>
        <source>Shift + wheel</source>
        <translation>Umschalt + Mausrad</translation>
    </message>
    <message>
        <source>Half a screen back, on</source>
        <translation>Halben Schirm zurück, weiter</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Fit the whole run</source>
        <translation>Den ganzen Lauf einpassen</translation>
    </message>
    <message>
        <source>Double click, %1</source>
        <translation>Doppelklick, %1</translation>
    </message>
    <message>
        <source>Follow the newest step</source>
        <translation>Dem neuesten Schritt folgen</translation>
    </message>
    <message>
        <source>The part that was shown before</source>
        <translation>Der zuvor gezeigte Teil</translation>
    </message>
    <message>
        <source>Cross-hair to the step before, after</source>
        <translation>Fadenkreuz einen Schritt zurück, weiter</translation>
    </message>
    <message>
        <source>Cross-hair by 100 steps</source>
        <translation>Fadenkreuz um 100 Schritte</translation>
    </message>
    <message>
        <source>Shift + %1, %2</source>
        <translation>Umschalt + %1, %2</translation>
    </message>
    <message>
        <source>To the checkpoint before, after</source>
        <translation>Zum Checkpoint davor, danach</translation>
    </message>
    <message>
        <source>Ctrl + %1, %2</source>
        <translation>Strg + %1, %2</translation>
    </message>
    <message>
        <source>What can be done with the checkpoint</source>
        <translation>Was mit dem Checkpoint getan werden kann</translation>
    </message>
    <message>
        <source>Click on its pin, %1</source>
        <translation>Klick auf seine Nadel, %1</translation>
    </message>
    <message>
        <source>No cross-hair</source>
        <translation>Kein Fadenkreuz</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>Logarithmische y-Achse</translation>
    </message>
    <message>
        <source>Zoom to a part of the y axis</source>
        <translation>Auf einen Teil der y-Achse zoomen</translation>
    </message>
    <message>
        <source>Shift + drag</source>
        <translation>Umschalt + Ziehen</translation>
    </message>
    <message>
        <source>Zoom the y axis at the pointer</source>
        <translation>y-Achse am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Ctrl + wheel</source>
        <translation>Strg + Mausrad</translation>
    </message>
    <message>
        <source>%1, the mouse&apos;s button</source>
        <translation>%1, die Taste der Maus</translation>
    </message>
    <message>
        <source>Forward to it again</source>
        <translation>Wieder vorwärts dahin</translation>
    </message>
    <message>
        <source>Shift + %1, the mouse&apos;s button</source>
        <translation>Umschalt + %1, die Taste der Maus</translation>
    </message>
    <message>
        <source>To the mark on the x axis before, after</source>
        <translation>Zur Marke auf der x-Achse davor, danach</translation>
    </message>
    <message>
        <source>Ctrl + Shift + %1, %2</source>
        <translation>Strg + Umschalt + %1, %2</translation>
    </message>
    <message>
        <source>Outliers off scale, or not</source>
        <translation>Ausreißer außen, oder nicht</translation>
    </message>
    <message>
        <source>All the room for this chart, or for all</source>
        <translation>Aller Platz für dieses Diagramm, oder für alle</translation>
    </message>
    <message>
        <source>Double click on its title, %1</source>
        <translation>Doppelklick auf seinen Titel, %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SideWindows</name>
    <message>
        <source>The language changes when Lockstep is started again.</source>
        <translation>Die Sprache wechselt, wenn Lockstep wieder gestartet wird.</translation>
    </message>
    <message>
        <source>Restart Now</source>
        <translation>Jetzt neu starten</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StartCommands</name>
    <message>
        <source> Test accuracy %1 with moving averages.</source>
        <translation> Testgenauigkeit %1 mit gleitenden Mitteln.</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Evaluating on the test set, at the end of this step</source>
        <translation>Auswertung auf den Testdaten am Ende dieses Schritts</translation>
    </message>
    <message>
        <source>%1 is set up to go on from its newest checkpoint.</source>
        <translation>%1 ist eingerichtet, von seinem neuesten Checkpoint weiterzugehen.</translation>
    </message>
    <message>
        <source>All %1 steps are done.</source>
        <translation>Alle %1 Schritte sind getan.</translation>
    </message>
    <message>
        <source>Stopped after %1 steps; they are saved.</source>
        <translation>Nach %1 Schritten gestoppt; sie sind gesichert.</translation>
    </message>
    <message>
        <source>Continue Run</source>
        <translation>Lauf weiterführen</translation>
    </message>
    <message>
        <source>Continue from Last Checkpoint</source>
        <translation>Vom letzten Checkpoint weiter</translation>
    </message>
    <message>
        <source>Lower the Learning Rate…</source>
        <translation>Lernrate senken…</translation>
    </message>
    <message>
        <source> It can go on from its checkpoint of step %1.</source>
        <translation> Er kann vom Checkpoint von Schritt %1 aus weitergehen.</translation>
    </message>
    <message>
        <source> Steps lost since then: %1.</source>
        <translation> Seitdem verlorene Schritte: %1.</translation>
    </message>
    <message>
        <source>%1 is a run of this computer: disconnect from %2 first.</source>
        <translation>%1 ist ein Lauf dieses Computers: erst von %2 trennen.</translation>
    </message>
    <message>
        <source>Starting the run on %1…</source>
        <translation>Startet den Lauf auf %1…</translation>
    </message>
    <message>
        <source>Not started on %1: %2</source>
        <translation>Auf %1 nicht gestartet: %2</translation>
    </message>
    <message>
        <source>Stopped before the run began: there is nothing to save.</source>
        <translation>Gestoppt, bevor der Lauf begann: es gibt nichts zu sichern.</translation>
    </message>
    <message>
        <source>Stopped before the run went on: it is as it was.</source>
        <translation>Angehalten, bevor der Lauf weiterging: er ist, wie er war.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StartLine</name>
    <message>
        <source>Start from random weights</source>
        <translation>Mit zufälligen Gewichten beginnen</translation>
    </message>
    <message>
        <source>Make this a new run that starts from random weights</source>
        <translation>Daraus einen neuen Lauf mit zufälligen Gewichten machen</translation>
    </message>
    <message>
        <source>Continues run %1 from checkpoint %2, on a new branch</source>
        <translation>Setzt Lauf %1 von Checkpoint %2 fort, auf einem neuen Zweig</translation>
    </message>
    <message>
        <source>Starts from checkpoint %1</source>
        <translation>Beginnt mit Checkpoint %1</translation>
    </message>
    <message>
        <source>Continues run %1</source>
        <translation>Setzt Lauf %1 fort</translation>
    </message>
    <message>
        <source>Fine-tunes the weights of %1</source>
        <translation>Feinabstimmung der Gewichte von %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StartMenus</name>
    <message>
        <source>Rename Preset</source>
        <translation>Vorlage umbenennen</translation>
    </message>
    <message>
        <source>Folder of Your Pictures</source>
        <translation>Ordner mit Ihren Bildern</translation>
    </message>
    <message>
        <source>Save as Preset</source>
        <translation>Als Vorlage speichern</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>Name der Vorlage:</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>Clear This List</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>Remove the preset %1?</source>
        <translation>Die Vorlage %1 entfernen?</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>There is a preset %1 already. Replace it?</source>
        <translation>Es gibt schon eine Vorlage %1. Soll sie ersetzt werden?</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Lockstep</source>
        <translation>Lockstep</translation>
    </message>
    <message>
        <source>Open Anything</source>
        <translation>Irgendetwas öffnen</translation>
    </message>
    <message>
        <source>Runs, checkpoints, configurations, networks, pictures, data sets (*.db *.safetensors *.toml *.jpg *.jpeg *.png *.bmp *.zip *.tar *.tgz *.csv);;All files (*)</source>
        <translation>Läufe, Checkpoints, Konfigurationen, Netze, Bilder, Datensätze (*.db *.safetensors *.toml *.jpg *.jpeg *.png *.bmp *.zip *.tar *.tgz *.csv);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StartPage</name>
    <message>
        <source>best accuracy %1</source>
        <translation>beste Genauigkeit %1</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Go on with</source>
        <translation>Weiter mit</translation>
    </message>
    <message>
        <source>What should the towers learn?</source>
        <translation>Was sollen die Tower lernen?</translation>
    </message>
    <message>
        <source>What the charts tell</source>
        <translation>Was die Diagramme sagen</translation>
    </message>
    <message>
        <source>Loss: every tower&apos;s and their mean. The classic scripts print the last tower&apos;s as if it were the loss.</source>
        <translation>Loss: der jedes Towers und ihr Mittel. Die klassischen Skripte geben den des letzten Towers aus, als wäre er der Loss.</translation>
    </message>
    <message>
        <source>Throughput: examples per second of all towers together, and the classic seconds per batch.</source>
        <translation>Durchsatz: Beispiele pro Sekunde aller Tower zusammen, und die klassischen Sekunden pro Batch.</translation>
    </message>
    <message>
        <source>Last tower − mean, Var(last) ÷ Var(mean): how far its loss is off, and whether chance explains it.</source>
        <translation>Letzter Tower − Mittel, Var(letzter) ÷ Var(Mittel): wie weit sein Loss daneben liegt, und ob Zufall das erklärt.</translation>
    </message>
    <message>
        <source>Barrier clock: where each tower&apos;s time goes, and for whom the others wait.</source>
        <translation>Barrierenuhr: wohin die Zeit jedes Towers geht, und auf wen die anderen warten.</translation>
    </message>
    <message>
        <source>Gradients: how well the towers agree, and whether a larger batch would pay.</source>
        <translation>Gradienten: wie einig sich die Tower sind, und ob ein größerer Batch sich lohnte.</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>time not known</source>
        <translation>Dauer nicht bekannt</translation>
    </message>
    <message>
        <source>First look</source>
        <translation>Erster Blick</translation>
    </message>
    <message>
        <source>See a poisoned tower</source>
        <translation>Ein vergifteter Tower</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>The classic tutorial: ten kinds of photographs, two towers of 128</source>
        <translation>Das klassische Tutorial: zehn Arten von Fotos, zwei Tower mit je 128</translation>
    </message>
    <message>
        <source>Find defects</source>
        <translation>Defekte finden</translation>
    </message>
    <message>
        <source>Your own pictures…</source>
        <translation>Eigene Bilder…</translation>
    </message>
    <message>
        <source>Your own preset: the right button renames or removes it</source>
        <translation>Eigene Vorlage: die rechte Maustaste benennt sie um oder entfernt sie</translation>
    </message>
    <message>
        <source>Re&amp;name This Preset…</source>
        <translation>Diese Vorlage &amp;umbenennen…</translation>
    </message>
    <message>
        <source>&amp;Remove This Preset…</source>
        <translation>Diese Vorlage &amp;entfernen…</translation>
    </message>
    <message>
        <source>Two towers learn drawn shapes: nine of ten right in a minute</source>
        <translation>Zwei Tower lernen gezeichnete Formen: neun von zehn richtig in einer Minute</translation>
    </message>
    <message>
        <source>One of four towers gets random labels: see it being found</source>
        <translation>Einer von vier Towern bekommt zufällige Labels: so wird er gefunden</translation>
    </message>
    <message>
        <source>SegDecNet marks cracks in generated surfaces, then decides</source>
        <translation>SegDecNet markiert Risse in erzeugten Oberflächen und entscheidet dann</translation>
    </message>
    <message>
        <source>Inception v3 on a folder with a folder for each class</source>
        <translation>Inception v3 auf einem Ordner mit einem Ordner für jede Klasse</translation>
    </message>
    <message>
        <source>Start here: needs no data</source>
        <translation>Hier anfangen: braucht keine Daten</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>Eigenes</translation>
    </message>
    <message>
        <source>More runs</source>
        <translation>Weitere Läufe</translation>
    </message>
    <message>
        <source>Watch my PyTorch training…</source>
        <translation>Mein PyTorch-Training beobachten…</translation>
    </message>
    <message>
        <source>A few lines in your script, and its ranks appear here while they train</source>
        <translation>Ein paar Zeilen im Skript, und seine Ranks erscheinen hier, während sie trainieren</translation>
    </message>
    <message>
        <source>Open anything…</source>
        <translation>Irgendetwas öffnen…</translation>
    </message>
    <message>
        <source>A run, a checkpoint, a configuration, a network</source>
        <translation>Einen Lauf, einen Checkpoint, eine Konfiguration, ein Netz</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StatusLine</name>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>step %1: test accuracy %2 (moving average)</source>
        <translation>Schritt %1: Testgenauigkeit %2 (gleitendes Mittel)</translation>
    </message>
    <message>
        <source>opening data, planning memory</source>
        <translation>Daten öffnen, Speicher planen</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Pausing at the end of this step</source>
        <translation>Hält am Ende dieses Schritts an</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Stopping: finishing the step, saving</source>
        <translation>Stoppt: Schritt zu Ende führen, sichern</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Ended by an error</source>
        <translation>Durch einen Fehler beendet</translation>
    </message>
    <message>
        <source>Trained by process %1</source>
        <translation>Trainiert von Prozess %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>in Vorbereitung</translation>
    </message>
    <message>
        <source>1 tower</source>
        <translation>1 Tower</translation>
    </message>
    <message>
        <source>%1 towers</source>
        <translation>%1 Tower</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 Geräten</translation>
    </message>
    <message>
        <source>%1 examples/s</source>
        <translation>%1 Beispiele/s</translation>
    </message>
    <message>
        <source>checkpoint at step %1, %2</source>
        <translation>Checkpoint bei Schritt %1, %2</translation>
    </message>
    <message>
        <source>stops after step %1</source>
        <translation>stoppt nach Schritt %1</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Finished after %1 steps</source>
        <translation>Fertig nach %1 Schritten</translation>
    </message>
    <message>
        <source>Stopped after %1 steps</source>
        <translation>Beendet nach %1 Schritten</translation>
    </message>
    <message>
        <source>Ended by an error after %1 steps</source>
        <translation>Durch einen Fehler beendet nach %1 Schritten</translation>
    </message>
    <message>
        <source>Ended unexpectedly after %1 steps</source>
        <translation>Unerwartet beendet nach %1 Schritten</translation>
    </message>
    <message>
        <source>The run goes on when this window closes</source>
        <translation>Der Lauf geht weiter, wenn dieses Fenster schließt</translation>
    </message>
    <message>
        <source>Starting the training as a process of its own</source>
        <translation>Das Training wird als eigener Prozess gestartet</translation>
    </message>
    <message>
        <source>Trained on %1</source>
        <translation>Wird auf %1 trainiert</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Recorded until step %1</source>
        <translation>Aufgezeichnet bis Schritt %1</translation>
    </message>
    <message>
        <source>Being recorded</source>
        <translation>Wird aufgezeichnet</translation>
    </message>
    <message>
        <source>Stopping before the run begins</source>
        <translation>Hält an, bevor der Lauf beginnt</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StudyView</name>
    <message>
        <source>In an evaluation</source>
        <translation>In einer Auswertung</translation>
    </message>
    <message>
        <source>Epoch %1, this step</source>
        <translation>Epoche %1, dieser Schritt</translation>
    </message>
    <message>
        <source>Epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>Original, example %1</source>
        <translation>Original, Beispiel %1</translation>
    </message>
    <message>
        <source>An example and its distortions</source>
        <translation>Ein Beispiel und seine Verzerrungen</translation>
    </message>
    <message>
        <source>One image, epoch by epoch: what is drawn for it</source>
        <translation>Ein Bild, Epoche für Epoche: was dafür gezogen wird</translation>
    </message>
    <message>
        <source>Closes this part; a click on an image brings it back</source>
        <translation>Schließt diesen Teil; ein Klick auf ein Bild bringt ihn zurück</translation>
    </message>
    <message>
        <source>Close the example</source>
        <translation>Beispiel schließen</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SummaryCommand</name>
    <message>
        <source>Save Summary</source>
        <translation>Zusammenfassung sichern</translation>
    </message>
    <message>
        <source>Web pages and pictures (*.html *.png)</source>
        <translation>Webseiten und Bilder (*.html *.png)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TableModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TelemetryPump</name>
    <message>
        <source>they are missing from the run&apos;s store</source>
        <translation>sie fehlen im Speicher des Laufs</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TileView</name>
    <message>
        <source>%1 pictures</source>
        <translation>%1 Bilder</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TowerPanel</name>
    <message>
        <source>Towers</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>Tempo</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TowerTableModel</name>
    <message>
        <source>Tower</source>
        <translation>Tower</translation>
    </message>
    <message>
        <source>Number of the tower</source>
        <translation>Nummer des Towers</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>What the tower computes on</source>
        <translation>Worauf der Tower rechnet</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Mean loss over the tower&apos;s batch in its latest step</source>
        <translation>Mittlerer Loss über den Batch des Towers in seinem letzten Schritt</translation>
    </message>
    <message>
        <source>Examples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Examples of the tower / seconds of the latest steps: all towers together make the throughput</source>
        <translation>Beispiele des Towers / Sekunden der letzten Schritte: alle Tower zusammen ergeben den Durchsatz</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Activations, gradients and workspace of the tower</source>
        <translation>Aktivierungen, Gradienten und Arbeitsspeicher des Towers</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Memory of the tower&apos;s device that is in use, by all programs</source>
        <translation>Speicher des Geräts, der belegt ist, von allen Programmen</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Share of the last second in which the tower&apos;s device computed</source>
        <translation>Anteil der letzten Sekunde, in der das Gerät rechnete</translation>
    </message>
    <message>
        <source>Temp.</source>
        <translation>Temp.</translation>
    </message>
    <message>
        <source>Temperature of the tower&apos;s device</source>
        <translation>Temperatur des Geräts</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Power that the tower&apos;s device takes</source>
        <translation>Leistung, die das Gerät aufnimmt</translation>
    </message>
    <message>
        <source>Slowed by</source>
        <translation>Gebremst</translation>
    </message>
    <message>
        <source>Why the clocks of the tower&apos;s device are lowered</source>
        <translation>Warum der Takt des Geräts gesenkt ist</translation>
    </message>
    <message>
        <source>–</source>
        <comment>no value yet</comment>
        <translation>–</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1: %2 of %3 are in use</source>
        <translation>%1: %2 von %3 sind belegt</translation>
    </message>
    <message>
        <source>%1 is slowed by: %2</source>
        <translation>%1 wird gebremst: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TrainingSigns</name>
    <message>
        <source>%1 is being trained</source>
        <translation>%1 wird trainiert</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TrialView</name>
    <message>
        <source>Asking the network…</source>
        <translation>Das Netz wird gefragt…</translation>
    </message>
    <message>
        <source>mask peak %1</source>
        <translation>Maskenspitze %1</translation>
    </message>
    <message>
        <source>%1 inside the label</source>
        <translation>%1 innerhalb des Labels</translation>
    </message>
    <message>
        <source>%1 outside the label</source>
        <translation>%1 außerhalb des Labels</translation>
    </message>
    <message>
        <source>weights of step %1</source>
        <translation>Gewichte von Schritt %1</translation>
    </message>
    <message>
        <source>moving averages of step %1</source>
        <translation>gleitende Mittel von Schritt %1</translation>
    </message>
    <message>
        <source>score %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>The checkpoint of step %1 was deleted: this is from the closest one, and may differ.</source>
        <translation>Der Checkpoint von Schritt %1 wurde gelöscht: das hier ist vom nächstgelegenen und kann abweichen.</translation>
    </message>
    <message>
        <source>%1, recognised</source>
        <translation>%1, erkannt</translation>
    </message>
    <message>
        <source>%1, taken for %2</source>
        <translation>%1, gehalten für %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::UserGuide</name>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>User Guide</source>
        <translation>Benutzerhandbuch</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>Kapitel</translation>
    </message>
    <message>
        <source>Text of the chapter</source>
        <translation>Text des Kapitels</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::WatchDialog</name>
    <message>
        <source>Watch a PyTorch Training</source>
        <translation>PyTorch-Training beobachten</translation>
    </message>
    <message>
        <source>Put these lines into your script, around its loop, and start it as usual. Every rank then writes down what it does, and the training stays what it is, bit by bit.</source>
        <translation>Diese Zeilen gehören ins Skript, um seine Schleife herum; gestartet wird es wie sonst. Dann schreibt jeder Rank auf, was er tut, und das Training bleibt Bit für Bit, was es ist.</translation>
    </message>
    <message>
        <source>Folder of the Run</source>
        <translation>Ordner des Laufs</translation>
    </message>
    <message>
        <source>Where the ranks write: on a disk that all of them reach</source>
        <translation>Wohin die Ranks schreiben: auf eine Platte, die alle erreichen</translation>
    </message>
    <message>
        <source>Lines for the script</source>
        <translation>Zeilen für das Skript</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>once, from Lockstep&apos;s sources</source>
        <translation>einmal, aus den Quellen von Lockstep</translation>
    </message>
    <message>
        <source>Waiting for the first rank to write into %1. Its run then opens here by itself.</source>
        <translation>Wartet, bis der erste Rank in %1 schreibt. Sein Lauf öffnet sich dann hier von selbst.</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::WeightsPanel</name>
    <message>
        <source>Layers of the run that is shown</source>
        <translation>Schichten des gezeigten Laufs</translation>
    </message>
    <message>
        <source>Sparsity</source>
        <translation>Nullanteil</translation>
    </message>
    <message>
        <source>Share of zeros among the activations of each layer that has parameters, for the first 16 rows of the last tower&apos;s batch</source>
        <translation>Anteil der Nullen unter den Aktivierungen jeder Schicht mit Parametern, für die ersten 16 Zeilen des Batches des letzten Towers</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>What is shown of the layers</source>
        <translation>Was von den Schichten gezeigt wird</translation>
    </message>
    <message>
        <source>Histograms</source>
        <translation>Histogramme</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Parameters whose histograms are shown</source>
        <translation>Parameter, deren Histogramme gezeigt werden</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Biases</source>
        <translation>Bias</translation>
    </message>
    <message>
        <source>Start or open a run: what its layers hold is recorded while it trains.</source>
        <translation>Starten oder öffnen Sie einen Lauf: was seine Schichten enthalten, wird beim Training aufgezeichnet.</translation>
    </message>
    <message>
        <source>This run records nothing of its layers. To have it, set “Events every” in More options (events.every_steps) to 100 steps, say, before you start.</source>
        <translation>Dieser Lauf zeichnet nichts von seinen Schichten auf. Setzen Sie dafür vor dem Start „Ereignisse alle“ unter Weitere Optionen (events.every_steps) auf etwa 100 Schritte.</translation>
    </message>
    <message>
        <source>Nothing is recorded yet: step 0 is the first, then every %1 steps.</source>
        <translation>Noch ist nichts aufgezeichnet: Schritt 0 ist der erste, dann alle %1 Schritte.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>1 record</source>
        <translation>1 Aufzeichnung</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 Aufzeichnungen</translation>
    </message>
    <message>
        <source>Of the run&apos;s event files, the newest of step %1</source>
        <translation>Aus den Ereignisdateien des Laufs, die neueste von Schritt %1</translation>
    </message>
    <message>
        <source>Which parameters of the layer the histograms are of</source>
        <translation>Zu welchen Parametern der Schicht die Histogramme gehören</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::WindowActions</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;New Run</source>
        <translation>&amp;Neuer Lauf</translation>
    </message>
    <message>
        <source>Sets up a new run from random weights, with the settings as they are</source>
        <translation>Richtet einen neuen Lauf mit zufälligen Gewichten ein, mit den Einstellungen, wie sie sind</translation>
    </message>
    <message>
        <source>New Run from &amp;Preset</source>
        <translation>Neuer Lauf aus &amp;Vorlage</translation>
    </message>
    <message>
        <source>&amp;Open Run…</source>
        <translation>Lauf ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Shows a run, finished or being trained</source>
        <translation>Zeigt einen Lauf, fertig oder im Gang</translation>
    </message>
    <message>
        <source>&amp;Recent Runs</source>
        <translation>Letzte Lä&amp;ufe</translation>
    </message>
    <message>
        <source>&amp;Load Checkpoint…</source>
        <translation>Checkpoint &amp;laden…</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>To continue its run, or to start a new one from its weights</source>
        <translation>Um seinen Lauf weiterzuführen, oder einen neuen mit seinen Gewichten zu beginnen</translation>
    </message>
    <message>
        <source>Recent C&amp;heckpoints</source>
        <translation>Letzte C&amp;heckpoints</translation>
    </message>
    <message>
        <source>&amp;Save Checkpoint</source>
        <translation>Checkpoint &amp;sichern</translation>
    </message>
    <message>
        <source>Saves the training at the end of this step, in the run&apos;s folder</source>
        <translation>Sichert das Training am Ende dieses Schritts, im Ordner des Laufs</translation>
    </message>
    <message>
        <source>Save Checkpoint &amp;As…</source>
        <translation>Checkpoint sichern un&amp;ter…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Saves the training at the end of this step in a file of your choice</source>
        <translation>Sichert das Training am Ende dieses Schritts in einer Datei Ihrer Wahl</translation>
    </message>
    <message>
        <source>&amp;Import Configuration…</source>
        <translation>Konfiguration &amp;importieren…</translation>
    </message>
    <message>
        <source>Reads the settings of a run (.toml)</source>
        <translation>Liest die Einstellungen eines Laufs (.toml)</translation>
    </message>
    <message>
        <source>E&amp;xport Configuration…</source>
        <translation>Konfiguration e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Writes the settings, for this window or for lockstep-train (.toml)</source>
        <translation>Schreibt die Einstellungen, für dieses Fenster oder für lockstep-train (.toml)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>&amp;Metrics as CSV…</source>
        <translation>&amp;Messwerte als CSV…</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Starts the run</source>
        <translation>Startet den Lauf</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Ctrl+P</translation>
    </message>
    <message>
        <source>Pauses at the end of this step</source>
        <translation>Hält am Ende dieses Schritts an</translation>
    </message>
    <message>
        <source>R&amp;esume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Goes on with the next step</source>
        <translation>Macht mit dem nächsten Schritt weiter</translation>
    </message>
    <message>
        <source>Step &amp;Once</source>
        <translation>&amp;Einzelschritt</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Makes one step of a paused run and pauses again</source>
        <translation>Macht einen Schritt eines angehaltenen Laufs und hält wieder an</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>S&amp;toppen</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Finishes this step, saves a checkpoint and ends the run</source>
        <translation>Führt diesen Schritt zu Ende, sichert einen Checkpoint und beendet den Lauf</translation>
    </message>
    <message>
        <source>E&amp;valuate Now</source>
        <translation>&amp;Jetzt auswerten</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Scores the weights and their moving averages on the test set</source>
        <translation>Bewertet die Gewichte und ihre gleitenden Mittel auf den Testdaten</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>&amp;Continue Run</source>
        <translation>Lauf &amp;weiterführen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Sets up the run that is shown to go on from its newest checkpoint</source>
        <translation>Richtet den gezeigten Lauf ein, von seinem neuesten Checkpoint weiterzugehen</translation>
    </message>
    <message>
        <source>Scaling R&amp;uler…</source>
        <translation>S&amp;kalierung messen…</translation>
    </message>
    <message>
        <source>Measures what more towers bring on this computer</source>
        <translation>Misst, was mehr Tower auf diesem Rechner bringen</translation>
    </message>
    <message>
        <source>&amp;Get CIFAR-10…</source>
        <translation>CIFAR-10 &amp;holen…</translation>
    </message>
    <message>
        <source>Downloads the data set and checks it</source>
        <translation>Lädt die Daten herunter und prüft sie</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>&amp;Docks</translation>
    </message>
    <message>
        <source>&amp;Go To</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>Smooth &amp;More</source>
        <translation>&amp;Mehr glätten</translation>
    </message>
    <message>
        <source>Ctrl+]</source>
        <translation>Ctrl+]</translation>
    </message>
    <message>
        <source>Smooth &amp;Less</source>
        <translation>&amp;Weniger glätten</translation>
    </message>
    <message>
        <source>Ctrl+[</source>
        <translation>Ctrl+[</translation>
    </message>
    <message>
        <source>Logarithmi&amp;c Loss</source>
        <translation>&amp;Logarithmischer Loss</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>&amp;X Axis</source>
        <translation>&amp;X-Achse</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>&amp;Einpassen</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>F&amp;ollow</source>
        <translation>F&amp;olgen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Er&amp;scheinungsbild</translation>
    </message>
    <message>
        <source>L&amp;anguage</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Tall Lower &amp;Panels</source>
        <translation>U&amp;ntere Paneele hoch</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>Half of the window for the panels below the charts, or five lines again; so does a double click on one of their tabs</source>
        <translation>Das halbe Fenster für die Paneele unter den Diagrammen, oder wieder fünf Zeilen; ebenso ein Doppelklick auf einen ihrer Reiter</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>F&amp;ull Screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>&amp;Schritt</translation>
    </message>
    <message>
        <source>&amp;Epoch</source>
        <translation>&amp;Epoche</translation>
    </message>
    <message>
        <source>&amp;Training Time</source>
        <translation>&amp;Trainingszeit</translation>
    </message>
    <message>
        <source>As the Des&amp;ktop</source>
        <translation>Wie der Des&amp;ktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>As the Des&amp;ktop</source>
        <comment>language</comment>
        <translation>Wie der Des&amp;ktop</translation>
    </message>
    <message>
        <source>%1 (%2 % translated)</source>
        <translation>%1 (%2 % übersetzt)</translation>
    </message>
    <message>
        <source>User &amp;Guide</source>
        <translation>Benutzer&amp;handbuch</translation>
    </message>
    <message>
        <source>Opens at the chapter about where the keyboard is</source>
        <translation>Öffnet beim Kapitel zu der Stelle, an der die Tastatur ist</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Ctrl+F1</source>
        <translation>Ctrl+F1</translation>
    </message>
    <message>
        <source>&amp;Devices and Libraries…</source>
        <translation>&amp;Geräte und Bibliotheken…</translation>
    </message>
    <message>
        <source>What can train on this computer, and why</source>
        <translation>Was auf diesem Rechner trainieren kann, und warum</translation>
    </message>
    <message>
        <source>&amp;About Lockstep</source>
        <translation>&amp;Über Lockstep</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>C&amp;harts</source>
        <translation>D&amp;iagramme</translation>
    </message>
    <message>
        <source>Ctrl+Shift+%1</source>
        <translation>Ctrl+Shift+%1</translation>
    </message>
    <message>
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <source>Main Tool Bar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>&amp;One Chart</source>
        <translation>&amp;Ein Diagramm</translation>
    </message>
    <message>
        <source>Stop at En&amp;d of Epoch</source>
        <translation>Am Epochenende st&amp;oppen</translation>
    </message>
    <message>
        <source>Stops with the step that completes the epoch; again: takes that back</source>
        <translation>Stoppt mit dem Schritt, der die Epoche vollendet; nochmals: nimmt das zurück</translation>
    </message>
    <message>
        <source>Change &amp;Learning Rate…</source>
        <translation>Lern&amp;rate ändern…</translation>
    </message>
    <message>
        <source>Of the run that goes on, from the next step on; saves a pinned checkpoint first</source>
        <translation>Des laufenden Laufs, vom nächsten Schritt an; sichert zuerst einen angehefteten Checkpoint</translation>
    </message>
    <message>
        <source>Learning rate…</source>
        <translation>Lernrate…</translation>
    </message>
    <message>
        <source>Change &amp;Number of Steps…</source>
        <translation>Schritt&amp;zahl ändern…</translation>
    </message>
    <message>
        <source>Makes the run longer or shorter; a run that has ended goes on</source>
        <translation>Macht den Lauf länger oder kürzer; einer, der zu Ende ist, geht weiter</translation>
    </message>
    <message>
        <source>Steps…</source>
        <translation>Schritte…</translation>
    </message>
    <message>
        <source>Desktop &amp;Notifications</source>
        <translation>&amp;Benachrichtigungen</translation>
    </message>
    <message>
        <source>Reports alerts and the end of a run while the window is not active</source>
        <translation>Meldet Alarme und das Ende eines Laufs, während das Fenster nicht aktiv ist</translation>
    </message>
    <message>
        <source>Leave Outliers off &amp;Scale</source>
        <translation>&amp;Ausreißer außen lassen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>A spike or the first losses do not flatten the rest; arrows show where they are</source>
        <translation>Eine Spitze oder die ersten Losse drücken den Rest nicht flach; Pfeile zeigen, wo sie sind</translation>
    </message>
    <message>
        <source>&amp;Enlarge Chart</source>
        <translation>Diagramm ve&amp;rgrößern</translation>
    </message>
    <message>
        <source>Ctrl+Shift+M</source>
        <translation>Ctrl+Shift+M</translation>
    </message>
    <message>
        <source>All the room for one chart, or for all again</source>
        <translation>Aller Platz für ein Diagramm, oder wieder für alle</translation>
    </message>
    <message>
        <source>Zoom &amp;Back</source>
        <translation>Zoom zur&amp;ück</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Zoom For&amp;ward</source>
        <translation>Zoom vorwär&amp;ts</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>&amp;Beispiele</translation>
    </message>
    <message>
        <source>&amp;Logarithmic x Axis</source>
        <translation>&amp;Logarithmische x-Achse</translation>
    </message>
    <message>
        <source>Ctrl+Shift+X</source>
        <translation>Ctrl+Shift+X</translation>
    </message>
    <message>
        <source>Save as Prese&amp;t…</source>
        <translation>Als Vorla&amp;ge speichern…</translation>
    </message>
    <message>
        <source>Keeps the settings under a name, to start from</source>
        <translation>Behält die Einstellungen unter einem Namen, um damit anzufangen</translation>
    </message>
    <message>
        <source>&amp;Charts as Picture…</source>
        <translation>&amp;Diagramme als Bild…</translation>
    </message>
    <message>
        <source>PNG or SVG, of any size, light or dark</source>
        <translation>PNG oder SVG, in jeder Größe, hell oder dunkel</translation>
    </message>
    <message>
        <source>Every step of the run, and its evaluations</source>
        <translation>Jeder Schritt des Laufs und seine Auswertungen</translation>
    </message>
    <message>
        <source>&amp;Connect…</source>
        <translation>Verbin&amp;den…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Shows the runs of another machine, by ssh, and starts runs there</source>
        <translation>Zeigt die Läufe eines anderen Rechners, über ssh, und startet dort Läufe</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>T&amp;rennen</translation>
    </message>
    <message>
        <source>Shows the runs of this computer again; what is trained there goes on</source>
        <translation>Zeigt wieder die Läufe dieses Computers; was dort trainiert wird, geht weiter</translation>
    </message>
    <message>
        <source>&amp;Keep Training When the Window Closes</source>
        <translation>&amp;Nach dem Schließen weitertrainieren</translation>
    </message>
    <message>
        <source>Runs that are started from now on train as processes of their own: they go on when this window closes or fails, and every window can show and command them</source>
        <translation>Läufe, die von jetzt an gestartet werden, trainieren in eigenen Prozessen: sie gehen weiter, wenn dieses Fenster schließt oder ausfällt, und jedes Fenster kann sie zeigen und steuern</translation>
    </message>
    <message>
        <source>F&amp;ind Learning Rate…</source>
        <translation>&amp;Lernrate suchen…</translation>
    </message>
    <message>
        <source>Tries rising learning rates for the run that is set up, and suggests one</source>
        <translation>Probiert steigende Lernraten für den eingerichteten Lauf und schlägt eine vor</translation>
    </message>
    <message>
        <source>Keep Computer A&amp;wake While Training</source>
        <translation>Rechner beim Trainieren w&amp;ach halten</translation>
    </message>
    <message>
        <source>It does not go to sleep while a run is trained that this window shows; the screen may go dark</source>
        <translation>Er geht nicht schlafen, solange ein Lauf trainiert wird, den dieses Fenster zeigt; der Bildschirm darf dunkel werden</translation>
    </message>
    <message>
        <source>&amp;Summary…</source>
        <translation>&amp;Zusammenfassung…</translation>
    </message>
    <message>
        <source>One page to send: curves, verdicts, results and settings, as HTML or PNG</source>
        <translation>Eine Seite zum Verschicken: Kurven, Urteile, Ergebnisse und Einstellungen, als HTML oder PNG</translation>
    </message>
</context>
</TS>

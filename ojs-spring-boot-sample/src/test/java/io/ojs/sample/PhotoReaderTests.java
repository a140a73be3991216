package io.ojs.sample;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32;

import javax.imageio.ImageIO;

import io.ojs.handler.JobFailedException;
import io.ojs.retry.FailureResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Files as cameras, phones and bad luck write them.
 */
class PhotoReaderTests {

	@TempDir
	private Path directory;

	private final PhotoReader reader = new PhotoReader();

	private Photo photo(String name, byte[] content) throws IOException {
		Path file = Files.write(this.directory.resolve(name), content);
		return new Photo("id", name, ImageKind.of(name).orElseThrow(), file, content.length, Instant.EPOCH);
	}

	private static byte[] encoded(BufferedImage image, String format) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ImageIO.write(image, format, bytes);
		return bytes.toByteArray();
	}

	@Test
	void photoThatWasTakenSidewaysIsTurned() throws IOException {
		BufferedImage image = new BufferedImage(80, 40, BufferedImage.TYPE_INT_RGB);
		byte[] jpeg = encoded(image, "jpg");
		ByteArrayOutputStream turned = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(turned);
		// Right behind the start of the image: an Exif block with Orientation = 6.
		out.write(jpeg, 0, 2);
		byte[] tiff = { 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0 };
		out.writeShort(0xffe1);
		out.writeShort(2 + 6 + tiff.length);
		out.write("Exif\0\0".getBytes(StandardCharsets.US_ASCII));
		out.write(tiff);
		out.write(jpeg, 2, jpeg.length - 2);
		BufferedImage read = this.reader.read(photo("phone.jpg", turned.toByteArray()));
		assertThat(read.getWidth()).isEqualTo(40);
		assertThat(read.getHeight()).isEqualTo(80);
	}

	@Test
	void whatIsTransparentBecomesWhite() throws IOException {
		byte[] png = encoded(new BufferedImage(4, 4, BufferedImage.TYPE_INT_ARGB), "png");
		assertThat(this.reader.read(photo("icon.png", png)).getRGB(1, 1)).isEqualTo(Color.WHITE.getRGB());
	}

	@Test
	void photoThatIsCutOffAnywhereIsNotTakenForWhole() throws IOException {
		byte[] whole = GalleryClient.shipped("wind-and-sand.jpg");
		assertThat(this.reader.read(photo("whole.jpg", whole)).getWidth()).isEqualTo(1600);
		for (int percent : new int[] { 1, 30, 60, 99 }) {
			byte[] part = Arrays.copyOf(whole, whole.length * percent / 100);
			Photo photo = photo("part.jpg", part);
			assertThatExceptionOfType(BadPhotoException.class).isThrownBy(() -> this.reader.read(photo))
				.withMessageStartingWith("part.jpg ends too early.");
		}
	}

	@Test
	void pngThatIsCutOffCannotBeDecoded() throws IOException {
		byte[] whole = encoded(new BufferedImage(400, 400, BufferedImage.TYPE_INT_RGB), "png");
		Photo photo = photo("part.png", Arrays.copyOf(whole, whole.length / 2));
		assertThatExceptionOfType(BadPhotoException.class).isThrownBy(() -> this.reader.read(photo));
	}

	@Test
	void bombIsNotUnpacked() throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream png = new DataOutputStream(bytes);
		png.writeLong(0x89504e470d0a1a0aL);
		ByteArrayOutputStream header = new ByteArrayOutputStream();
		DataOutputStream fields = new DataOutputStream(header);
		fields.writeInt(0x49484452);
		fields.writeInt(60_000);
		fields.writeInt(60_000);
		fields.write(new byte[] { 8, 2, 0, 0, 0 });
		CRC32 crc = new CRC32();
		crc.update(header.toByteArray());
		png.writeInt(13);
		png.write(header.toByteArray());
		png.writeInt((int) crc.getValue());
		png.writeInt(0);
		png.writeInt(0x49444154);
		png.writeInt(0x35af061e);
		Photo photo = photo("bomb.png", bytes.toByteArray());
		assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> this.reader.read(photo))
			.satisfies((ex) -> assertThat(ex.response()).isEqualTo(FailureResponse.DEAD_LETTER));
	}

	@Test
	void hugePhotoIsReadSmaller() throws IOException {
		byte[] png = encoded(new BufferedImage(8000, 4000, BufferedImage.TYPE_BYTE_GRAY), "png");
		assertThat(this.reader.read(photo("huge.png", png)).getWidth()).isEqualTo(4000);
	}

}
